// exit 0: LINEARIZABLE
// options: --operations 3 --threads 2
// Nodes are never given back but kept in a list of their own, with a version beside each pointer: old nodes are read, and that is right.
#include <linspect.h>
#include <stdatomic.h>
#include <stdint.h>

enum { NODES = 8 };

static struct {
    _Atomic uint32_t next;
    atomic_int value;
} nodes[NODES + 1];

static _Atomic uint64_t top, spare;

static void put(_Atomic uint64_t *list, uint32_t node) {
    uint64_t old = atomic_load(list);
    do
        atomic_store(&nodes[node].next, (uint32_t)old);
    while (!atomic_compare_exchange_strong(list, &old, (old >> 32) + 1 << 32 | node));
}

static uint32_t take(_Atomic uint64_t *list) {
    uint64_t old = atomic_load(list);
    for (;;) {
        uint32_t node = (uint32_t)old;
        if (!node)
            return 0;
        uint32_t next = atomic_load(&nodes[node].next);
        if (atomic_compare_exchange_strong(list, &old, (old >> 32) + 1 << 32 | next))
            return node;
    }
}

static void push(int value) {
    uint32_t node = take(&spare);
    atomic_store(&nodes[node].value, value);
    put(&top, node);
}

static int pop(void) {
    uint32_t node = take(&top);
    if (!node)
        return -1;
    int value = atomic_load(&nodes[node].value);
    put(&spare, node);
    return value;
}

LINSPECT_SETUP {
    top = spare = 0;
    for (uint32_t node = 1; node <= NODES; node++)
        put(&spare, node);
}
LINSPECT_OP(push, push(v), int v, 1, 2)
LINSPECT_OP_RET(int, pop, pop())
LINSPECT_SPEC(stack, .empty = -1)
