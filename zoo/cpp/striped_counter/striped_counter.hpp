#pragma once

#include <atomic>

// A counter of two stripes, one for increments, one for decrements.
class StripedCounter {
public:
    void increment();
    void decrement();
    int get();

private:
    std::atomic<int> up_{0};
    std::atomic<int> down_{0};
};
