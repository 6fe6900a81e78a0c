// exit 1: ASSERTION
// options: --cflag=-std=c++20
// A thread that joins by itself does so at the end of its block, not before.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
    std::atomic<int> seen{0};
    std::jthread other([&] { seen = 1; });
    assert(seen == 1);
}
