/* A counter under two spin locks: test-and-test-and-set, and tickets. */
#include <linspect.h>
#include <stdatomic.h>

static atomic_int held, next, serving;
static int count;

LINSPECT_SETUP { held = next = serving = count = 0; }

LINSPECT_OP_BODY(ttas) {
    int zero;
    do {
        while (held)
            ;
        zero = 0;
    } while (!atomic_compare_exchange_strong(&held, &zero, 1));
    int old = count++;
    held = 0;
    linspect_return_int(old);
}

LINSPECT_OP_BODY(ticket) {
    int mine = atomic_fetch_add(&next, 1);
    while (serving != mine)
        ;
    int old = count++;
    serving = mine + 1;
    linspect_return_int(old);
}
