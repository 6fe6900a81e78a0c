// verdict: holds
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable opened;
static bool is_open;

int main() {
    std::thread waiter([] {
        std::unique_lock<std::mutex> held(lock);
        opened.wait(held, [] { return is_open; });
        assert(is_open);
    });
    {
        std::lock_guard<std::mutex> held(lock);
        is_open = true;
    }
    opened.notify_one();
    waiter.join();
}
