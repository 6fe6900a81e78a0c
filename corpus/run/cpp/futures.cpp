// Promises, futures, tasks and a pool of threads that runs them.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
class Pool {
    std::deque<std::function<void()>> jobs;
    std::mutex m;
    std::condition_variable cv;
    bool stop = false;
    std::vector<std::thread> ts;

  public:
    explicit Pool(int n) {
        for (int i = 0; i < n; i++)
            ts.emplace_back([this] {
                for (;;) {
                    std::function<void()> f;
                    {
                        std::unique_lock l(m);
                        cv.wait(l, [&] { return stop || !jobs.empty(); });
                        if (jobs.empty()) return;
                        f = std::move(jobs.front());
                        jobs.pop_front();
                    }
                    f();
                }
            });
    }
    ~Pool() {
        {
            std::lock_guard l(m);
            stop = true;
        }
        cv.notify_all();
        for (auto &t : ts) t.join();
    }
    template <class F, class... A> auto submit(F &&f, A &&...a) {
        using R = std::invoke_result_t<F, A...>;
        auto task = std::make_shared<std::packaged_task<R()>>(std::bind(std::forward<F>(f), std::forward<A>(a)...));
        auto fut = task->get_future();
        {
            std::lock_guard l(m);
            jobs.emplace_back([task] { (*task)(); });
        }
        cv.notify_one();
        return fut;
    }
};
int main() {
    auto a = std::async(std::launch::async, [](int x) { return x * x; }, 12);
    auto b = std::async(std::launch::deferred, [] { return std::string("lazy"); });
    std::promise<int> p;
    auto f = p.get_future();
    std::thread t([&] { p.set_value_at_thread_exit(3); });
    std::cout << a.get() << ' ' << b.get() << ' ' << f.get() << '\n';
    t.join();
    std::promise<void> q;
    auto g = q.get_future().share();
    std::thread u([&] {
        try {
            throw std::runtime_error("from there");
        } catch (...) { q.set_exception(std::current_exception()); }
    });
    try {
        g.get();
    } catch (const std::exception &e) { std::cout << e.what() << '\n'; }
    u.join();
    {
        std::future<int> broken;
        {
            std::promise<int> gone;
            broken = gone.get_future();
        }
        try {
            broken.get();
        } catch (const std::future_error &e) { std::cout << (e.code() == std::future_errc::broken_promise) << '\n'; }
    }
    Pool pool(2);
    std::vector<std::future<int>> fs;
    for (int i = 0; i < 4; i++) fs.push_back(pool.submit([](int a, int b) { return a + b; }, i, 10));
    int sum = 0;
    for (auto &x : fs) sum += x.get();
    std::cout << sum << ' ' << std::thread::hardware_concurrency() / 1000 << '\n';
    auto late = std::async(std::launch::async, [] { return 1; });
    late.wait();
    std::cout << (late.wait_for(std::chrono::seconds(0)) == std::future_status::ready) << late.valid() << '\n';
    std::packaged_task<int(int)> pt([](int x) {
        if (x < 0) throw std::out_of_range("negative");
        return x;
    });
    auto pf = pt.get_future();
    pt(-1);
    try {
        pf.get();
    } catch (std::out_of_range &e) { std::cout << e.what() << '\n'; }
}
