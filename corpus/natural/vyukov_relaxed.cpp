// verdict: DATA RACE
#include <linspect.h>
#include <atomic>
#include <optional>
#include <memory>
template <class T, unsigned N> class Mpmc {
    struct Cell { std::atomic<unsigned> seq; T v; };
    Cell cells[N]; std::atomic<unsigned> head{0}, tail{0};
public:
    Mpmc() { for (unsigned i = 0; i < N; i++) cells[i].seq.store(i, std::memory_order_relaxed); }
    bool push(T v) {
        unsigned p = tail.load(std::memory_order_relaxed);
        for (;;) {
            Cell &c = cells[p % N]; unsigned s = c.seq.load(std::memory_order_acquire); int d = int(s) - int(p);
            if (d == 0) { if (tail.compare_exchange_weak(p, p + 1, std::memory_order_relaxed)) { c.v = v; c.seq.store(p + 1, std::memory_order_relaxed); return true; } }
            else if (d < 0) return false; else p = tail.load(std::memory_order_relaxed);
        }
    }
    std::optional<T> pop() {
        unsigned p = head.load(std::memory_order_relaxed);
        for (;;) {
            Cell &c = cells[p % N]; unsigned s = c.seq.load(std::memory_order_acquire); int d = int(s) - int(p + 1);
            if (d == 0) { if (head.compare_exchange_weak(p, p + 1, std::memory_order_relaxed)) { T v = c.v; c.seq.store(p + N, std::memory_order_release); return v; } }
            else if (d < 0) return std::nullopt; else p = head.load(std::memory_order_relaxed);
        }
    }
};
using Q = Mpmc<int, 2>;
LINSPECT_OBJECT(std::unique_ptr<Q>, q, std::make_unique<Q>())
LINSPECT_OP_RET(bool, push, q->push(v), int v, 1, 2)
LINSPECT_OP_RET(std::optional<int>, pop, q->pop())
LINSPECT_MAY_FAIL(pop, nil)
LINSPECT_MAY_FAIL(push, false)
LINSPECT_SPEC(queue, .capacity = 2)
