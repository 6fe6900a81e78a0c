// exit 1: UNORDERED HAND-OVER
// The release fence comes after the exchange, too late for whoever takes the message out.
#include <linspect.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int box;

static bool put(int message) {
    int empty = 0;
    bool done = atomic_compare_exchange_strong_explicit(&box, &empty, message, memory_order_relaxed, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    return done;
}

static int take(void) {
    return atomic_exchange_explicit(&box, 0, memory_order_acquire);
}

LINSPECT_OBJECT(atomic_int *, object, &box)
LINSPECT_OP_RET(bool, put, put(v), int v, 1, 2)
LINSPECT_OP_RET(int, take, take())
LINSPECT_SPEC(queue, .capacity = 1, .empty = 0)
