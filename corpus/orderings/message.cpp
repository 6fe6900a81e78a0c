// A value is handed over by a flag, everything relaxed: whoever sees the flag may see an old value.
#include <atomic>
#include <linspect.h>

struct Cell {
    std::atomic<int> value{0};
    std::atomic<int> ready{0};

    void put() {
        value.store(7, std::memory_order_relaxed);
        ready.store(1, std::memory_order_relaxed);
    }

    int get() {
        if (!ready.load(std::memory_order_relaxed))
            return 9;
        return value.load(std::memory_order_relaxed);
    }
};

LINSPECT_OBJECT(Cell *, cell, new Cell)
LINSPECT_OP(put, cell->put())
LINSPECT_OP_RET(int, get, cell->get())

// repair: 11 memory_order_relaxed → memory_order_release
// repair: 15 memory_order_relaxed → memory_order_acquire
