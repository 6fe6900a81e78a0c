// exit 1: ASSERTION
// How many owners there are changes while one looks.
#include <cassert>
#include <memory>
#include <thread>

int main() {
    auto strong = std::make_shared<int>(3);
    std::thread other([copy = strong]() mutable { copy.reset(); });
    long count = strong.use_count();
    other.join();
    assert(count != 1);
}
