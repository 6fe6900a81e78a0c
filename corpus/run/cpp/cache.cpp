// A cache behind a shared lock, and every other lock of the standard library.
#include <chrono>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>
template <class K, class V> class Cache {
    mutable std::shared_timed_mutex m;
    std::map<K, V> map;

  public:
    std::optional<V> get(const K &k) const {
        std::shared_lock l(m);
        auto it = map.find(k);
        if (it == map.end()) return std::nullopt;
        return it->second;
    }
    void put(K k, V v) {
        std::unique_lock l(m);
        map.insert_or_assign(std::move(k), std::move(v));
    }
    template <class F> V get_or(const K &k, F f) {
        if (auto v = get(k)) return *v;
        V v = f();
        put(k, v);
        return v;
    }
};
int main() {
    Cache<std::string, int> c;
    std::vector<std::thread> ts;
    for (int i = 0; i < 3; i++)
        ts.emplace_back([&, i] {
            c.put("key" + std::to_string(i), i);
            c.get_or("shared", [] { return 7; });
        });
    for (auto &t : ts) t.join();
    for (int i = 0; i < 4; i++) {
        auto v = c.get("key" + std::to_string(i));
        std::cout << (v ? *v : -1) << ' ';
    }
    std::cout << c.get("shared").value_or(0) << '\n';
    std::shared_mutex sm;
    std::timed_mutex tm;
    std::recursive_timed_mutex rt;
    std::recursive_mutex rm;
    std::shared_timed_mutex st;
    std::cout << sm.try_lock() << sm.try_lock_shared();
    sm.unlock();
    std::cout << tm.try_lock_for(std::chrono::milliseconds(1));
    tm.unlock();
    std::cout << rt.try_lock_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(1)) << rt.try_lock();
    rt.unlock();
    rt.unlock();
    std::cout << st.try_lock_shared_for(std::chrono::milliseconds(1));
    st.unlock_shared();
    {
        std::scoped_lock both(rm, tm);
        std::lock_guard again(rm);
    }
    std::unique_lock<std::mutex> empty;
    std::cout << empty.owns_lock();
    std::mutex a, b;
    std::lock(a, b);
    a.unlock();
    b.unlock();
    std::cout << std::try_lock(a, b) << '\n';
    a.unlock();
    b.unlock();
}
