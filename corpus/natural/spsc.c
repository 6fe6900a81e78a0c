// verdict: NOT LINEARIZABLE
// client: [push(1)] push(1) push(1) | pop pop []
#include <linspect.h>
#include <stdatomic.h>
#include <stdbool.h>
static int buf[2]; static atomic_uint head, tail;
static bool push(int v) {
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    if (t - atomic_load_explicit(&head, memory_order_acquire) == 2) return false;
    buf[t % 2] = v; atomic_store_explicit(&tail, t + 1, memory_order_release); return true;
}
static int pop(void) {
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    if (h == atomic_load_explicit(&tail, memory_order_acquire)) return -1;
    int v = buf[h % 2]; atomic_store_explicit(&head, h + 1, memory_order_release); return v;
}
LINSPECT_SETUP { head = tail = 0; }
LINSPECT_OP_RET(bool, push, push(v), int v, 1, 2)
LINSPECT_OP_RET(int, pop, pop())
LINSPECT_SINGLE_THREAD(push)
LINSPECT_SINGLE_THREAD(pop)
LINSPECT_SPEC(queue, .empty = -1, .capacity = 2)
