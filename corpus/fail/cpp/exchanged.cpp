// An exchange gives what was there before to somebody who looks at it.
#include <atomic>

int main() {
    auto *slot = new std::atomic<long>;
    long before = slot->exchange(1); // fault: Uninitialised
    return before == 7 ? 1 : 0;
}
