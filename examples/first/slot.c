#include <linspect.h>
#include <stdatomic.h>

static atomic_int slot;

static int slot_put(int value) {
    if (atomic_load(&slot) != 0)
        return 0;
    atomic_store(&slot, value);
    return 1;
}

static int slot_take(void) { return atomic_exchange(&slot, 0); }

LINSPECT_SETUP { slot = 0; }
LINSPECT_OP_RET(int, put, slot_put(value), int value, 1, 2)
LINSPECT_OP_RET(int, take, slot_take())
