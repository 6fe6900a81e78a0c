// A word that is read into a variable that is used, and into one that is not.
#include <linspect.h>
#include <stdatomic.h>

static atomic_int word, other;

static int look(void) {
    int seen = atomic_load(&word);
    (void)seen;
    return atomic_load(&other);
}

static int use(void) {
    int seen = atomic_load(&word);
    return atomic_load(&other) + seen;
}

LINSPECT_OP_RET(int, look, look())
LINSPECT_OP_RET(int, use, use())
LINSPECT_OP(set, atomic_store(&word, v), int v, 1)
