#include "slab_stack.hpp"

namespace {

int index_of(std::uint64_t top) { return static_cast<int>(static_cast<std::uint32_t>(top)); }

std::uint64_t with_index(std::uint64_t, int index) { return static_cast<std::uint32_t>(index); }

} // namespace

SlabStack::SlabStack() : top_(with_index(0, -1)) {}

int SlabStack::allocate() {
    for (int i = 0; i < capacity; i++)
        if (!slab_[i].used.exchange(true))
            return i;
    return -1;
}

bool SlabStack::push(int value) {
    int node = allocate();
    if (node < 0)
        return false;
    slab_[node].value = value;
    std::uint64_t top = top_.load();
    do {
        slab_[node].next = index_of(top);
    } while (!top_.compare_exchange_weak(top, with_index(top, node)));
    return true;
}

std::optional<int> SlabStack::pop() {
    std::uint64_t top = top_.load();
    for (;;) {
        int node = index_of(top);
        if (node < 0)
            return std::nullopt;
        int next = slab_[node].next;
        if (top_.compare_exchange_weak(top, with_index(top, next))) {
            int value = slab_[node].value;
            slab_[node].used = false;
            return value;
        }
    }
}
