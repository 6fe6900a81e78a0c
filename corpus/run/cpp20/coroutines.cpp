// Coroutines: a generator, one that throws, and one that another thread goes on with.
#include <atomic>
#include <coroutine>
#include <exception>
#include <iostream>
#include <thread>
#include <utility>
#include <vector>
template <class T> struct Generator {
    struct promise_type {
        T value;
        std::exception_ptr error;
        Generator get_return_object() { return Generator{std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(T v) {
            value = v;
            return {};
        }
        void return_void() {}
        void unhandled_exception() { error = std::current_exception(); }
    };
    std::coroutine_handle<promise_type> h;
    explicit Generator(std::coroutine_handle<promise_type> h) : h(h) {}
    Generator(Generator &&o) : h(std::exchange(o.h, {})) {}
    ~Generator() {
        if (h) h.destroy();
    }
    bool next() {
        h.resume();
        if (h.promise().error) std::rethrow_exception(h.promise().error);
        return !h.done();
    }
    T value() { return h.promise().value; }
};
Generator<int> fib(int n) {
    int a = 0, b = 1;
    for (int i = 0; i < n; i++) {
        co_yield a;
        a = std::exchange(b, a + b);
    }
    if (n > 5) throw 42;
}
struct Task {
    struct promise_type {
        Task get_return_object() { return {}; }
        std::suspend_never initial_suspend() { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
};
struct Switch {
    std::atomic<void *> *slot;
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<> h) { slot->store(h.address(), std::memory_order_release); }
    int await_resume() { return 5; }
};
Task wait_for(std::atomic<void *> &slot, std::atomic<int> &out) {
    int v = co_await Switch{&slot};
    out += v;
}
int main() {
    auto g = fib(5);
    while (g.next()) std::cout << g.value() << ' ';
    std::cout << '\n';
    try {
        auto h = fib(6);
        while (h.next()) std::cout << h.value() << ' ';
    } catch (int e) { std::cout << e << '\n'; }
    std::atomic<void *> slot{};
    std::atomic<int> out{};
    std::thread t([&] {
        void *p;
        while (!(p = slot.load(std::memory_order_acquire))) std::this_thread::yield();
        std::coroutine_handle<>::from_address(p).resume();
    });
    wait_for(slot, out);
    t.join();
    std::cout << out << '\n';
}
