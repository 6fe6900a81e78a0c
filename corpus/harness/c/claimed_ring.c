// A ring whose push claims its place before it fills it, so that pop takes what is not there yet.
#include <linspect.h>
#include <stdatomic.h>

#define PLACES 2u

struct ring {
    atomic_uint head, tail;
    atomic_int place[PLACES];
};

static int ring_push(struct ring *r, int value) {
    for (;;) {
        unsigned tail = atomic_load(&r->tail);
        unsigned head = atomic_load(&r->head);
        if (tail - head >= PLACES)
            return 0;
        if (atomic_compare_exchange_strong(&r->tail, &tail, tail + 1)) {
            atomic_store(&r->place[tail % PLACES], value);
            return 1;
        }
    }
}

static int ring_pop(struct ring *r) {
    for (;;) {
        unsigned head = atomic_load(&r->head);
        unsigned tail = atomic_load(&r->tail);
        if (head == tail)
            return -1;
        int value = atomic_load(&r->place[head % PLACES]);
        if (atomic_compare_exchange_strong(&r->head, &head, head + 1))
            return value;
    }
}

static struct ring ring;

LINSPECT_SETUP {
    atomic_init(&ring.head, 0);
    atomic_init(&ring.tail, 0);
    for (unsigned i = 0; i < PLACES; i++)
        atomic_init(&ring.place[i], 0);
}
LINSPECT_OP_RET(int, push, ring_push(&ring, value), int value, 1, 2)
LINSPECT_OP_RET(int, pop, ring_pop(&ring))
