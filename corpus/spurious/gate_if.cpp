// verdict: ASSERTION FAILED
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
        if (!is_open)
            opened.wait(held);
        assert(is_open);
    });
    {
        std::lock_guard<std::mutex> held(lock);
        is_open = true;
    }
    opened.notify_one();
    waiter.join();
}
