// exit 0: FREE OF FAULTS
// options: --cflag=-std=c++20
// A latch orders what was done before it was counted down.
#include <cassert>
#include <latch>
#include <thread>

int main() {
    std::latch latch(1);
    int data = 0;
    std::thread other([&] {
        data = 1;
        latch.count_down();
    });
    latch.wait();
    assert(data == 1);
    other.join();
}
