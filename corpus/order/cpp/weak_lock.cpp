// exit 1: ASSERTION
// A weak pointer comes too late if the last owner has gone.
#include <cassert>
#include <memory>
#include <thread>

int main() {
    auto strong = std::make_shared<int>(3);
    std::weak_ptr<int> weak = strong;
    std::thread other([weak] { assert(weak.lock()); });
    strong.reset();
    other.join();
}
