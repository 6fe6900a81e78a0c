// The non-blocking queue of Michael and Scott. Dequeued nodes are left to a collector.
#include "ms_queue.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
    int value;
    _Atomic(struct node *) next;
} node_t;

struct queue {
    _Atomic(node_t *) head; // a node already taken
    _Atomic(node_t *) tail; // the last node or one before it
};

static node_t *new_node(int value) {
    node_t *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->next, NULL);
    return node;
}

queue_t *queue_new(void) {
    queue_t *queue = malloc(sizeof *queue);
    node_t *dummy = new_node(QUEUE_EMPTY);
    atomic_init(&queue->head, dummy);
    atomic_init(&queue->tail, dummy);
    return queue;
}

void queue_free(queue_t *queue) {
    for (node_t *node = queue->head; node;) {
        node_t *next = node->next;
        free(node);
        node = next;
    }
    free(queue);
}

void queue_enq(queue_t *queue, int value) {
    node_t *node = new_node(value);
    for (;;) {
        node_t *tail = atomic_load(&queue->tail);
        node_t *next = atomic_load(&tail->next);
        if (next) {
            atomic_compare_exchange_strong(&queue->tail, &tail, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&tail->next, &next, node)) {
            atomic_compare_exchange_strong(&queue->tail, &tail, node);
            return;
        }
    }
}

int queue_deq(queue_t *queue) {
    for (;;) {
        node_t *head = atomic_load(&queue->head);
        node_t *tail = atomic_load(&queue->tail);
        node_t *next = atomic_load(&head->next);
        if (head != atomic_load(&queue->head))
            continue;
        if (!next)
            return QUEUE_EMPTY;
        if (head == tail) {
            atomic_compare_exchange_strong(&queue->tail, &tail, next);
            continue;
        }
        int value = next->value;
        if (atomic_compare_exchange_strong(&queue->head, &head, next))
            return value;
    }
}
