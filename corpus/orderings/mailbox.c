// A box for one message, put in and taken out by relaxed exchanges. It is linearizable; but whoever takes a message out does not come after whoever put it in, so what
// the sender wrote for it need not be there.
#include <linspect.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int box;

static bool put(int message) {
    int empty = 0;
    return atomic_compare_exchange_strong_explicit(&box, &empty, message, memory_order_relaxed, memory_order_relaxed);
}

static int take(void) {
    return atomic_exchange_explicit(&box, 0, memory_order_relaxed);
}

LINSPECT_OBJECT(atomic_int *, object, &box)
LINSPECT_OP_RET(bool, put, put(v), int v, 1, 2)
LINSPECT_OP_RET(int, take, take())
LINSPECT_SPEC(queue, .capacity = 1, .empty = 0)

// repair: 11 memory_order_relaxed → memory_order_release
// repair: 15 memory_order_relaxed → memory_order_acquire
