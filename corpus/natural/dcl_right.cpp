// verdict: holds
#include <linspect.h>
#include <atomic>
#include <mutex>
struct S { int x = 7; };
static std::atomic<S *> inst; static std::mutex m;
static int get() { S *p = inst.load(std::memory_order_acquire); if (!p) { std::lock_guard g(m); p = inst.load(std::memory_order_relaxed); if (!p) { p = new S; inst.store(p, std::memory_order_release); } } return p->x; }
LINSPECT_SETUP { inst = nullptr; }
LINSPECT_OP_RET(int, get, get())
