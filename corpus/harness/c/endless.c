// Operations that never end, or only after long.
#include <linspect.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int) spoilt;
static int *scratch;

// Writes in every round, so it is no waiting loop; alone it comes back to the same state.
static int retry(void) {
    for (;;) {
        *scratch = 7;
        int expected = 0;
        if (atomic_compare_exchange_strong(&spoilt, &expected, 0))
            return *scratch;
        *scratch = 8;
    }
}

static int count(void) {
    int sum = 0;
    for (int i = 0; i < 100000; i++) {
        *scratch = i;
        sum += *scratch & 1;
    }
    return sum;
}

LINSPECT_SETUP {
    spoilt = 0;
    scratch = malloc(sizeof *scratch);
}
LINSPECT_OP(spoil, atomic_store(&spoilt, 1))
LINSPECT_OP_RET(int, retry, retry())
LINSPECT_OP_RET(int, count, count())
