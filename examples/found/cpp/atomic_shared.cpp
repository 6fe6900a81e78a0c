// libstdc++ 12's std::atomic<std::shared_ptr>: `load` gives its lock back without releasing what it has read.
//
//     linspect test atomic_shared.cpp --cflag -std=c++20
#include <atomic>
#include <memory>
#include <thread>

int main() {
    std::atomic<std::shared_ptr<int>> shared{std::make_shared<int>(1)};
    std::thread reader([&] { (void)shared.load(); });
    shared.store(std::make_shared<int>(2));
    reader.join();
}
