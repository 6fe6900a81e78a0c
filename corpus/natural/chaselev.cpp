// verdict: holds
#include <linspect.h>
#include <atomic>
static std::atomic<int> top, bottom; static std::atomic<int> buf[4];
static void push(int v) { int b = bottom.load(std::memory_order_relaxed); top.load(std::memory_order_acquire);
    buf[b % 4].store(v, std::memory_order_relaxed); std::atomic_thread_fence(std::memory_order_release); bottom.store(b + 1, std::memory_order_relaxed); }
static int take() {
    int b = bottom.load(std::memory_order_relaxed) - 1; bottom.store(b, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    int t = top.load(std::memory_order_relaxed); int x = -1;
    if (t <= b) { x = buf[b % 4].load(std::memory_order_relaxed);
        if (t == b) { if (!top.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) x = -1; bottom.store(b + 1, std::memory_order_relaxed); } }
    else bottom.store(b + 1, std::memory_order_relaxed);
    return x;
}
static int steal() {
    for (;;) {
    int t = top.load(std::memory_order_acquire); std::atomic_thread_fence(std::memory_order_seq_cst);
    int b = bottom.load(std::memory_order_acquire); if (t >= b) return -1;
    int x = buf[t % 4].load(std::memory_order_relaxed);
    if (top.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) return x; }
}
LINSPECT_SETUP { top = 0; bottom = 0; }
LINSPECT_OP(push, push(v), int v, 1, 2)
LINSPECT_OP_RET(int, take, take())
LINSPECT_OP_RET(int, steal, steal())
LINSPECT_SINGLE_THREAD(push, take)
