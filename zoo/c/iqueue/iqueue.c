// The array queue of an exercise in Herlihy and Shavit's book: reserve a slot, then fill it.
#include "iqueue.h"

#include <stdatomic.h>
#include <stdlib.h>

#define CAPACITY 64

struct queue {
    atomic_int head; // the next slot to take from
    atomic_int tail; // the next slot to fill
    atomic_int items[CAPACITY];
};

queue_t *queue_new(void) {
    queue_t *queue = malloc(sizeof *queue);
    atomic_init(&queue->head, 0);
    atomic_init(&queue->tail, 0);
    for (int i = 0; i < CAPACITY; i++)
        atomic_init(&queue->items[i], QUEUE_EMPTY);
    return queue;
}

void queue_free(queue_t *queue) { free(queue); }

void queue_enq(queue_t *queue, int value) {
    int slot;
    do {
        slot = atomic_load(&queue->tail);
    } while (!atomic_compare_exchange_strong(&queue->tail, &slot, slot + 1));
    atomic_store(&queue->items[slot], value);
}

int queue_deq(queue_t *queue) {
    int value, slot;
    do {
        slot = atomic_load(&queue->head);
        value = atomic_load(&queue->items[slot]);
        if (value == QUEUE_EMPTY)
            return QUEUE_EMPTY;
    } while (!atomic_compare_exchange_strong(&queue->head, &slot, slot + 1));
    return value;
}
