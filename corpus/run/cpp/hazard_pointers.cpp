// Hazard pointers with thread-local retire lists, as libraries write them; tagged pointers; 16-byte CAS; intrusive
// lists; CRTP.
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <functional>
#include <iostream>
#include <thread>
#include <unordered_set>
#include <vector>
struct HP {
    std::atomic<std::thread::id> owner;
    std::atomic<void *> ptr;
};
static HP hps[8];
class Owner {
    HP *hp = nullptr;

  public:
    Owner() {
        for (auto &h : hps) {
            std::thread::id none;
            if (h.owner.compare_exchange_strong(none, std::this_thread::get_id())) {
                hp = &h;
                break;
            }
        }
        if (!hp) throw std::runtime_error("no hazard pointers");
    }
    ~Owner() {
        hp->ptr.store(nullptr);
        hp->owner.store(std::thread::id());
    }
    std::atomic<void *> &get() { return hp->ptr; }
};
static std::atomic<void *> &mine() {
    thread_local static Owner o;
    return o.get();
}
template <class T> class Stack {
    struct Node {
        T v;
        Node *next;
    };
    std::atomic<Node *> head{nullptr};
    static inline thread_local std::vector<Node *> retired;
    static bool used(void *p) {
        return std::any_of(std::begin(hps), std::end(hps), [&](HP &h) { return h.ptr.load() == p; });
    }

  public:
    void push(T v) {
        Node *n = new Node{std::move(v), head.load()};
        while (!head.compare_exchange_weak(n->next, n)) {}
    }
    bool pop(T &out) {
        auto &hp = mine();
        Node *old = head.load();
        do {
            Node *t;
            do {
                t = old;
                hp.store(old);
                old = head.load();
            } while (old != t);
        } while (old && !head.compare_exchange_strong(old, old->next));
        hp.store(nullptr);
        if (!old) return false;
        out = std::move(old->v);
        retired.push_back(old);
        scan();
        return true;
    }
    void scan() {
        auto it = std::partition(retired.begin(), retired.end(), [](Node *n) { return used(n); });
        for (auto i = it; i != retired.end(); ++i) delete *i;
        retired.erase(it, retired.end());
    }
    ~Stack() {
        T t;
        while (pop(t)) {}
        scan();
    }
};
struct alignas(16) Tagged {
    void *p;
    uint64_t tag;
};
template <class D> struct Counted {
    std::atomic<int> refs{1};
    void ref() { refs.fetch_add(1, std::memory_order_relaxed); }
    void unref() {
        if (refs.fetch_sub(1, std::memory_order_release) == 1) {
            std::atomic_thread_fence(std::memory_order_acquire);
            delete static_cast<D *>(this);
        }
    }
};
struct Obj : Counted<Obj> {
    static inline int live = 0;
    Obj() { live++; }
    ~Obj() { live--; }
};
int main() {
    {
        Stack<std::string> s;
        std::vector<std::thread> ts;
        std::atomic<int> got{0};
        for (int i = 0; i < 2; i++)
            ts.emplace_back([&, i] {
                s.push("v" + std::to_string(i));
                std::string o;
                if (s.pop(o)) got++;
            });
        for (auto &t : ts) t.join();
        std::cout << got << '\n';
    }
    std::atomic<Tagged> tp{{nullptr, 0}};
    Tagged o = tp.load();
    while (!tp.compare_exchange_weak(o, {&o, o.tag + 1})) {}
    std::cout << tp.load().tag << '\n';
    Obj *x = new Obj;
    x->ref();
    std::thread t([x] { x->unref(); });
    x->unref();
    t.join();
    std::cout << Obj::live << '\n';
    std::uintptr_t bits = reinterpret_cast<std::uintptr_t>(new int(5)) | 1;
    std::cout << (bits & 1) << *reinterpret_cast<int *>(bits & ~1ul) << '\n';
    delete reinterpret_cast<int *>(bits & ~1ul);
    std::hash<std::thread::id> h;
    std::cout << (h(std::this_thread::get_id()) == h(std::this_thread::get_id()))
              << (std::hash<std::string>{}("a") == std::hash<std::string>{}("a")) << '\n';
}
