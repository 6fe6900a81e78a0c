// Atomics of C++20: atomic_ref, wait and notify, structures, floats, shared pointers; with latch, barrier, semaphores.
#include <atomic>
#include <barrier>
#include <bit>
#include <iostream>
#include <latch>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>
struct Pair {
    int a, b;
    bool operator==(const Pair &) const = default;
};
int main() {
    alignas(std::atomic_ref<long>::required_alignment) long plain = 0;
    std::atomic<int> gate{0};
    std::atomic_flag flag{};
    std::atomic<Pair> pair{{1, 2}};
    std::atomic<double> d{0.5};
    std::vector<std::thread> ts;
    std::latch ready(3);
    std::barrier sync(2, []() noexcept {});
    std::counting_semaphore<4> sem(0);
    std::binary_semaphore one(1);
    for (int i = 0; i < 3; i++)
        ts.emplace_back([&, i] {
            ready.count_down();
            gate.wait(0);
            std::atomic_ref<long> r(plain);
            r.fetch_add(i + 1);
            r += 10;
            d.fetch_add(0.25);
            one.acquire();
            one.release();
            Pair old = pair.load();
            while (!pair.compare_exchange_weak(old, {old.a + 1, old.b + 2})) {}
            sem.release();
        });
    ready.wait();
    gate.store(1);
    gate.notify_all();
    for (int i = 0; i < 3; i++) sem.acquire();
    for (auto &t : ts) t.join();
    std::thread w([&] {
        flag.wait(false);
        sync.arrive_and_wait();
    });
    flag.test_and_set();
    flag.notify_one();
    sync.arrive_and_wait();
    w.join();
    Pair p = pair;
    std::cout << plain << ' ' << d << ' ' << p.a << ' ' << p.b << ' ' << flag.test() << sem.try_acquire() << '\n';
    std::atomic<int *> ptr;
    int arr[4] = {1, 2, 3, 4};
    ptr = arr;
    ptr.fetch_add(2);
    std::cout << *ptr.load() << ' ' << *(ptr += 1) << ' ' << ptr.is_lock_free() << '\n';
    std::atomic<unsigned char> byte{250};
    byte += 10;
    byte ^= 3;
    byte |= 64;
    byte &= 0x7f;
    std::cout << (int)byte << ' ' << std::popcount(0xffu) << ' ' << std::bit_cast<int>(1.0f) << ' '
              << std::countl_zero(1u) << '\n';
    std::atomic<std::shared_ptr<int>> sp{std::make_shared<int>(3)};
    auto q = sp.load();
    sp.store(nullptr);
    std::cout << *q << q.use_count() << (sp.load() == nullptr) << '\n';
    std::atomic<bool> b{true};
    bool e = false;
    std::cout << b.compare_exchange_strong(e, true) << e << b.exchange(false) << std::atomic_is_lock_free(&b) << '\n';
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::atomic_signal_fence(std::memory_order_acquire);
}
