/* Two counters that hinder each other, so that runs have no longest length. After some rounds both write a plain variable. */
#include <linspect.h>
#include <stdatomic.h>

static atomic_uint mine, theirs;
static int last;

static void race(atomic_uint *own, atomic_uint *other, int name) {
    for (int round = 0;; round++) {
        unsigned before = *other;
        *own += 1;
        if (round == 2)
            last = name;
        if (*other == before)
            return;
    }
}

LINSPECT_SETUP { mine = theirs = 0; last = 0; }
LINSPECT_OP_BODY(here) { race(&mine, &theirs, 1); }
LINSPECT_OP_BODY(there) { race(&theirs, &mine, 2); }
