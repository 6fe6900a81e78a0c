// A singly linked list with a pointer to either end. Not for several threads.
// Dequeued nodes are left to a collector.
#include "sl_queue.h"

#include <stdlib.h>

typedef struct node {
    int value;
    struct node *next;
} node_t;

struct queue {
    node_t *head, *tail;
};

queue_t *queue_new(void) {
    queue_t *queue = malloc(sizeof *queue);
    queue->head = queue->tail = NULL;
    return queue;
}

void queue_free(queue_t *queue) {
    while (queue_deq(queue) != QUEUE_EMPTY)
        ;
    free(queue);
}

void queue_enq(queue_t *queue, int value) {
    node_t *node = malloc(sizeof *node);
    node->value = value;
    node->next = NULL;
    if (queue->tail)
        queue->tail->next = node;
    else
        queue->head = node;
    queue->tail = node;
}

int queue_deq(queue_t *queue) {
    node_t *node = queue->head;
    if (!node)
        return QUEUE_EMPTY;
    queue->head = node->next;
    if (!queue->head)
        queue->tail = NULL;
    return node->value;
}
