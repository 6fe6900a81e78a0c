// A waiter that says again and again that it waits. Only its first store changes anything.
#include <linspect.h>
#include <stdatomic.h>

static atomic_int ready, waiting;

static int take(void) {
    while (!atomic_load(&ready))
        atomic_store(&waiting, 1);
    return 1;
}

static int give(void) {
    atomic_store(&ready, 1);
    return atomic_exchange(&waiting, 0) >= 0;
}

LINSPECT_SETUP { ready = 0; waiting = 0; }
LINSPECT_OP_RET(int, take, take())
LINSPECT_OP_RET(int, give, give())
