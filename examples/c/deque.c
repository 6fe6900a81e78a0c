// Who may call what: the owner of a work-stealing deque pushes and pops at one end, all others steal at the other end. The last element is the owner's and
// the thief's at once; here the owner takes it without asking whether it is still there.
//
//     linspect test examples/c/deque.c
#include <linspect.h>
#include <stdatomic.h>
#include <stdlib.h>

#define EMPTY -1

struct deque {
    atomic_long top, bottom;
    atomic_int slots[8];
};

static void push(struct deque *d, int value) {
    long bottom = atomic_load(&d->bottom);
    atomic_store(&d->slots[bottom % 8], value);
    atomic_store(&d->bottom, bottom + 1);
}

static int pop(struct deque *d) {
    long bottom = atomic_load(&d->bottom) - 1;
    atomic_store(&d->bottom, bottom);
    long top = atomic_load(&d->top);
    if (top > bottom) {
        atomic_store(&d->bottom, bottom + 1);
        return EMPTY;
    }
    int value = atomic_load(&d->slots[bottom % 8]);
    if (top == bottom) {
        atomic_store(&d->top, top + 1); // should be a compare-and-exchange, as in steal
        atomic_store(&d->bottom, bottom + 1);
    }
    return value;
}

static int steal(struct deque *d) {
    for (;;) {
        long top = atomic_load(&d->top);
        if (top >= atomic_load(&d->bottom))
            return EMPTY;
        int value = atomic_load(&d->slots[top % 8]);
        if (atomic_compare_exchange_strong(&d->top, &top, top + 1))
            return value;
    }
}

LINSPECT_OBJECT(struct deque *, d, calloc(1, sizeof(struct deque)))
LINSPECT_OP(push, push(d, value), int value, 1, 2)
LINSPECT_OP_RET(int, pop, pop(d))
LINSPECT_OP_RET(int, steal, steal(d))
LINSPECT_SINGLE_THREAD(push, pop)
LINSPECT_SPEC(deque, .empty = EMPTY)
