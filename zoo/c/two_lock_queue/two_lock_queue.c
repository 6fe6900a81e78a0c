// The two-lock queue of Michael and Scott: one lock for either end, kept apart by a dummy node.
#include "two_lock_queue.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
    int value;
    _Atomic(struct node *) next; // the two ends meet here when the queue is empty
} node_t;

struct queue {
    pthread_mutex_t head_lock, tail_lock;
    node_t *head, *tail;
};

static node_t *new_node(int value) {
    node_t *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->next, NULL);
    return node;
}

queue_t *queue_new(void) {
    queue_t *queue = malloc(sizeof *queue);
    pthread_mutex_init(&queue->head_lock, NULL);
    pthread_mutex_init(&queue->tail_lock, NULL);
    queue->head = queue->tail = new_node(QUEUE_EMPTY);
    return queue;
}

void queue_free(queue_t *queue) {
    while (queue_dequeue(queue) != QUEUE_EMPTY)
        ;
    free(queue->head);
    pthread_mutex_destroy(&queue->head_lock);
    pthread_mutex_destroy(&queue->tail_lock);
    free(queue);
}

void queue_enqueue(queue_t *queue, int value) {
    node_t *node = new_node(value);
    pthread_mutex_lock(&queue->tail_lock);
    queue->tail->next = node;
    queue->tail = node;
    pthread_mutex_unlock(&queue->tail_lock);
}

int queue_dequeue(queue_t *queue) {
    pthread_mutex_lock(&queue->head_lock);
    node_t *dummy = queue->head;
    node_t *first = dummy->next;
    if (!first) {
        pthread_mutex_unlock(&queue->head_lock);
        return QUEUE_EMPTY;
    }
    int value = first->value;
    queue->head = first;
    pthread_mutex_unlock(&queue->head_lock);
    free(dummy);
    return value;
}
