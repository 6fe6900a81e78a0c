// exit 1: ABORTED
// A thread that can be joined is destroyed.
#include <thread>

int main() {
    std::thread other([] {});
}
