// exit 1: NOT LINEARIZABLE
// options: --operations 3 --threads 2
// The top of a stack is a pointer and a version in one word. A node can be popped before its link is written.
#include <linspect.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct node {
    struct node *next;
    int value;
} node;

static _Atomic uint64_t top;

static uint64_t pack(node *n, uint64_t version) {
    return (uint64_t)(uintptr_t)n << 16 | (version & 0xffff);
}

static node *unpack(uint64_t word) { return (node *)(uintptr_t)(word >> 16); }

static void push(int value) {
    node *n = calloc(1, sizeof *n);
    n->value = value;
    uint64_t old = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &old, pack(n, old + 1)))
        ;
    n->next = unpack(old);
}

static int pop(void) {
    uint64_t old = atomic_load(&top);
    while (unpack(old)) {
        node *n = unpack(old);
        if (atomic_compare_exchange_strong(&top, &old, pack(n->next, old + 1)))
            return n->value;
    }
    return -1;
}

LINSPECT_SETUP { top = 0; }
LINSPECT_OP(push, push(v), int v, 1, 2)
LINSPECT_OP_RET(int, pop, pop())
LINSPECT_SPEC(stack, .empty = -1)
