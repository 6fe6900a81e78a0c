// A value is handed over by a flag, everything relaxed: whoever sees the flag may see an old value.
#include <linspect.h>
#include <stdatomic.h>

static atomic_int value;
static atomic_int ready;

static void put(void) {
    atomic_store_explicit(&value, 7, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
}

static int get(void) {
    if (!atomic_load_explicit(&ready, memory_order_relaxed))
        return 9;
    return atomic_load_explicit(&value, memory_order_relaxed);
}

LINSPECT_OBJECT(atomic_int *, object, &value)
LINSPECT_OP(put, put())
LINSPECT_OP_RET(int, get, get())

// repair: 10 memory_order_relaxed → memory_order_release
// repair: 14 memory_order_relaxed → memory_order_acquire
