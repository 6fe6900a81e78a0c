// verdict: NOT LINEARIZABLE
// Whoever comes first wins, but a weak exchange may fail without reason.
#include <linspect.h>
#include <stdatomic.h>

static atomic_int claimed;

static int claim(void) {
    int expected = 0;
    return atomic_compare_exchange_weak(&claimed, &expected, 1);
}

LINSPECT_SETUP { claimed = 0; }
LINSPECT_OP_RET(int, claim, claim())
