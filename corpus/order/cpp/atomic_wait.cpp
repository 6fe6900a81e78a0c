// exit 1: DEADLOCK
// options: --cflag=-std=c++20
// A change that nobody is told of is not noticed.
#include <atomic>
#include <thread>

int main() {
    std::atomic<int> value{0};
    std::thread other([&] { value.store(1); });
    value.wait(0);
    other.join();
}
