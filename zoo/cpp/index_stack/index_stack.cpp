#include "index_stack.hpp"

namespace {

int index_of(std::uint64_t top) { return static_cast<int>(static_cast<std::uint32_t>(top)); }

std::uint64_t with_index(std::uint64_t, int index) { return static_cast<std::uint32_t>(index); }

} // namespace

IndexStack::IndexStack() : top_(with_index(0, -1)) {
    for (std::atomic<int> &below : below_)
        below = -1;
}

void IndexStack::push(int index) {
    std::uint64_t top = top_.load();
    do {
        below_[index] = index_of(top);
    } while (!top_.compare_exchange_weak(top, with_index(top, index)));
}

std::optional<int> IndexStack::pop() {
    std::uint64_t top = top_.load();
    for (;;) {
        int index = index_of(top);
        if (index < 0)
            return std::nullopt;
        int below = below_[index];
        if (top_.compare_exchange_weak(top, with_index(top, below)))
            return index;
    }
}
