// Active object, double-checked singleton, event loop with timers, observer with weak_ptr, intrusive thread pool,
// pimpl, virtual inheritance, member pointers, static init order, placement new, allocators, user literals, fold
// expressions.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <queue>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>
using Clock = std::chrono::steady_clock;
struct Timer {
    Clock::time_point at;
    int id;
    bool operator<(const Timer &o) const { return at > o.at; }
};
class Loop {
    std::priority_queue<Timer> timers;
    std::deque<std::function<void()>> tasks;
    std::mutex m;
    std::condition_variable cv;
    bool stop = false;
    std::thread t;
    std::map<int, std::function<void()>> handlers;

  public:
    Loop() : t([this] { run(); }) {}
    void post(std::function<void()> f) {
        {
            std::lock_guard l(m);
            tasks.push_back(std::move(f));
        }
        cv.notify_one();
    }
    void after(int ms, int id, std::function<void()> f) {
        std::lock_guard l(m);
        timers.push({Clock::now() + std::chrono::milliseconds(ms), id});
        handlers[id] = std::move(f);
        cv.notify_one();
    }
    void run() {
        std::unique_lock l(m);
        while (!stop || !tasks.empty()) {
            if (!tasks.empty()) {
                auto f = std::move(tasks.front());
                tasks.pop_front();
                l.unlock();
                f();
                l.lock();
                continue;
            }
            if (!timers.empty() && timers.top().at <= Clock::now()) {
                int id = timers.top().id;
                timers.pop();
                auto f = handlers[id];
                l.unlock();
                f();
                l.lock();
                continue;
            }
            if (timers.empty())
                cv.wait(l);
            else
                cv.wait_until(l, timers.top().at);
        }
    }
    ~Loop() {
        {
            std::lock_guard l(m);
            stop = true;
        }
        cv.notify_one();
        t.join();
    }
};
struct Listener {
    virtual void on(int) = 0;
    virtual ~Listener() = default;
};
struct Sum : Listener {
    int s = 0;
    void on(int v) override { s += v; }
};
class Subject {
    std::vector<std::weak_ptr<Listener>> ls;
    mutable std::mutex m;

  public:
    void add(std::shared_ptr<Listener> l) {
        std::lock_guard g(m);
        ls.push_back(l);
    }
    int fire(int v) {
        std::vector<std::shared_ptr<Listener>> live;
        {
            std::lock_guard g(m);
            std::erase_if(ls, [](auto &w) { return w.expired(); });
            for (auto &w : ls)
                if (auto p = w.lock()) live.push_back(p);
        }
        for (auto &p : live) p->on(v);
        return (int)live.size();
    }
};
struct A {
    int a = 1;
    virtual ~A() {}
};
struct B : virtual A {
    int b = 2;
};
struct C : virtual A {
    int c = 3;
};
struct D : B, C {
    int d = 4;
};
class Single {
    static std::atomic<Single *> p;
    static std::mutex m;

  public:
    int v = 7;
    static Single &get() {
        Single *s = p.load(std::memory_order_acquire);
        if (!s) {
            std::lock_guard l(m);
            s = p.load(std::memory_order_relaxed);
            if (!s) {
                s = new Single;
                p.store(s, std::memory_order_release);
            }
        }
        return *s;
    }
};
std::atomic<Single *> Single::p;
std::mutex Single::m;
static Single &meyers() {
    static Single s;
    return s;
}
constexpr long operator""_kb(unsigned long long v) { return v * 1024; }
template <class... T> auto total(T... t) { return (t + ...); }
struct Arena {
    alignas(std::max_align_t) char mem[128];
    size_t used = 0;
    template <class T, class... X> T *make(X &&...x) {
        void *p = mem + used;
        used += sizeof(T);
        return new (p) T{std::forward<X>(x)...};
    }
};
int main() {
    std::string log;
    {
        Loop loop;
        std::atomic<int> n{0};
        loop.post([&] {
            log += "a";
            n++;
        });
        loop.post([&] {
            log += "b";
            n++;
        });
        while (n < 2) std::this_thread::yield();
    }
    std::cout << log << '\n';
    Subject s;
    auto sum = std::make_shared<Sum>();
    s.add(sum);
    {
        auto gone = std::make_shared<Sum>();
        s.add(gone);
        std::cout << s.fire(1);
    }
    std::cout << s.fire(5) << sum->s << '\n';
    std::thread x([] { Single::get().v++; });
    x.join();
    std::cout << Single::get().v << meyers().v << '\n';
    D d;
    A *a = &d;
    C *c = dynamic_cast<C *>(a);
    int D::*mp = &D::d;
    int (A::*unused)() = nullptr;
    std::cout << c->c << d.*mp << (unused == nullptr) << 4_kb << total(1, 2.5, 3) << '\n';
    Arena ar;
    auto *q = ar.make<std::pair<int, long>>(1, 2L);
    std::cout << q->second << std::is_trivially_copyable_v<Timer> << '\n';
    if (auto o = std::optional(3); o && *o > 2) std::cout << [](auto x) { return x * 2; }(*o) << '\n';
}
