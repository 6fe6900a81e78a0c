#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

// A lock-free stack of small numbers, such as the free slots of a slab. A number is its own node, so it may be
// on the stack only once at a time.
class IndexStack {
public:
    static constexpr int capacity = 64;

    IndexStack();

    // Puts `index`, from 0 to capacity - 1, on top.
    void push(int index);
    std::optional<int> pop();

private:
    // Per number, what lies below it; -1 for nothing.
    std::atomic<int> below_[capacity];
    // The number on top, or -1, in the low half; what the high half is for, the implementation knows.
    std::atomic<std::uint64_t> top_;
};
