// verdict: holds
#include <linspect.h>
#include <stdatomic.h>
static atomic_uint seq; static atomic_int a, b; static atomic_flag wl = ATOMIC_FLAG_INIT;
static void put(int v) {
    while (atomic_flag_test_and_set_explicit(&wl, memory_order_acquire)) {}
    unsigned s = atomic_load_explicit(&seq, memory_order_relaxed);
    atomic_store_explicit(&seq, s + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&a, v, memory_order_relaxed);
    atomic_store_explicit(&b, v * 10, memory_order_relaxed);
    atomic_store_explicit(&seq, s + 2, memory_order_release);
    atomic_flag_clear_explicit(&wl, memory_order_release);
}
static int get(void) {
    for (;;) {
        unsigned s = atomic_load_explicit(&seq, memory_order_acquire);
        if (s & 1) continue;
        int x = atomic_load_explicit(&a, memory_order_relaxed);
        int y = atomic_load_explicit(&b, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        if (atomic_load_explicit(&seq, memory_order_relaxed) == s) return x * 1000 + y;
    }
}
LINSPECT_SETUP { seq = 0; a = 0; b = 0; atomic_flag_clear(&wl); }
LINSPECT_OP(put, put(v), int v, 1, 2)
LINSPECT_OP_RET(int, get, get())
