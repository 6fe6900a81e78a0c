// exit 1: ASSERTION
// A static is destroyed while a thread that nobody joins uses it.
#include <atomic>
#include <cassert>
#include <thread>

struct Log {
    std::atomic<bool> open{true};
    ~Log() { open = false; }
};
static Log log;

int main() {
    std::thread([] { assert(log.open); }).detach();
}
