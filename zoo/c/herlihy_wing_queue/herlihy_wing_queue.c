// The queue of Herlihy and Wing's paper on linearizability.
#include "herlihy_wing_queue.h"

#include <stdatomic.h>
#include <stdlib.h>

#define CAPACITY 64

struct queue {
    atomic_int back; // the next slot to fill
    atomic_int items[CAPACITY];
};

queue_t *queue_new(void) {
    queue_t *queue = malloc(sizeof *queue);
    atomic_init(&queue->back, 0);
    for (int i = 0; i < CAPACITY; i++)
        atomic_init(&queue->items[i], QUEUE_EMPTY);
    return queue;
}

void queue_free(queue_t *queue) { free(queue); }

void queue_enq(queue_t *queue, int value) {
    int slot = atomic_fetch_add(&queue->back, 1);
    atomic_store(&queue->items[slot], value);
}

int queue_deq(queue_t *queue) {
    for (;;) {
        int range = atomic_load(&queue->back);
        for (int i = 0; i < range; i++) {
            int value = atomic_exchange(&queue->items[i], QUEUE_EMPTY);
            if (value != QUEUE_EMPTY)
                return value;
        }
    }
}
