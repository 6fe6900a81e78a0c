#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

// A lock-free stack of at most `capacity` integers whose nodes live in a slab and are used again.
class SlabStack {
public:
    static constexpr int capacity = 64;

    SlabStack();

    // False if the slab is used up.
    bool push(int value);
    std::optional<int> pop();

private:
    struct Node {
        std::atomic<bool> used{false};
        int value = 0;
        std::atomic<int> next{-1};
    };

    int allocate();

    Node slab_[capacity];
    // The index of the top node, or -1, in the low half; what the high half is for, the implementation knows.
    std::atomic<std::uint64_t> top_;
};
