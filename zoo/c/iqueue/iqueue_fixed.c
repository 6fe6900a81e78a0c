// An array queue whose slots are filled first and published by moving the tail, in order.
#include "iqueue.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define CAPACITY 64

struct queue {
    pthread_mutex_t tail_lock;
    atomic_int head; // the next slot to take from
    atomic_int tail; // all slots before it are filled
    atomic_int items[CAPACITY];
};

queue_t *queue_new(void) {
    queue_t *queue = malloc(sizeof *queue);
    pthread_mutex_init(&queue->tail_lock, NULL);
    atomic_init(&queue->head, 0);
    atomic_init(&queue->tail, 0);
    for (int i = 0; i < CAPACITY; i++)
        atomic_init(&queue->items[i], QUEUE_EMPTY);
    return queue;
}

void queue_free(queue_t *queue) {
    pthread_mutex_destroy(&queue->tail_lock);
    free(queue);
}

void queue_enq(queue_t *queue, int value) {
    pthread_mutex_lock(&queue->tail_lock);
    int slot = atomic_load(&queue->tail);
    atomic_store(&queue->items[slot], value);
    atomic_store(&queue->tail, slot + 1);
    pthread_mutex_unlock(&queue->tail_lock);
}

int queue_deq(queue_t *queue) {
    int slot = atomic_load(&queue->head);
    do {
        if (slot == atomic_load(&queue->tail))
            return QUEUE_EMPTY;
    } while (!atomic_compare_exchange_strong(&queue->head, &slot, slot + 1));
    return atomic_load(&queue->items[slot]);
}
