// One of two operations never returns, not even alone: nothing is known of what it would do.
#include <linspect.h>
#include <stdatomic.h>

static atomic_int count;

static int next(void) {
    return atomic_fetch_add(&count, 1);
}

static void drain(void) {
    for (;;) {
    }
}

LINSPECT_SETUP { count = 0; }
LINSPECT_OP_RET(int, next, next())
LINSPECT_OP(drain, drain())
