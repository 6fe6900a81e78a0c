// exit 0: LINEARIZABLE
// Relaxed exchanges between a release fence and an acquire fence hand a message over.
#include <linspect.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int box;

static bool put(int message) {
    int empty = 0;
    atomic_thread_fence(memory_order_release);
    return atomic_compare_exchange_strong_explicit(&box, &empty, message, memory_order_relaxed, memory_order_relaxed);
}

static int take(void) {
    int message = atomic_exchange_explicit(&box, 0, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    return message;
}

LINSPECT_OBJECT(atomic_int *, object, &box)
LINSPECT_OP_RET(bool, put, put(v), int v, 1, 2)
LINSPECT_OP_RET(int, take, take())
LINSPECT_SPEC(queue, .capacity = 1, .empty = 0)
