// std::jthread, std::stop_token, and a condition that stops waiting.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <thread>

int main() {
    std::mutex mutex;
    std::condition_variable_any changed;
    bool ready = false, stopped = false;
    std::atomic<int> called = 0;
    {
        std::jthread worker([&](std::stop_token token) {
            std::unique_lock lock(mutex);
            stopped = !changed.wait(lock, token, [&] { return ready; });
        });
        std::stop_callback callback(worker.get_stop_token(), [&] { called++; });
        worker.request_stop();
    }
    std::stop_source source;
    std::stop_token token = source.get_token();
    std::stop_callback before(token, [&] { called += 10; });
    bool first = source.request_stop(), second = source.request_stop();
    std::stop_callback after(token, [&] { called += 100; });
    std::printf("stopped %d called %d first %d second %d\n", stopped, called.load(), first, second);
    std::printf("possible %d requested %d none %d\n", token.stop_possible(), token.stop_requested(), std::stop_token().stop_possible());
}
