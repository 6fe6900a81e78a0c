// FIFO queue after Ladan-Mozes and Shavit's optimistic approach: an offer costs one CAS on the tail
// and leaves the pointers towards it ("prev") to be repaired by whoever finds one missing.
// Items that were taken are left to a collector.
#include "optimistic_queue.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct node {
    int item;
    struct node *next;          // towards the head, fixed once linked
    _Atomic(struct node *) prev; // towards the tail, set optimistically
} node_t;

struct queue {
    _Atomic(node_t *) head; // a node already taken; the first item is in head->prev
    _Atomic(node_t *) tail;
};

static node_t *new_node(int item) {
    node_t *node = malloc(sizeof *node);
    node->item = item;
    node->next = NULL;
    atomic_init(&node->prev, NULL);
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
    node_t *node = atomic_load(&queue->tail);
    node_t *head = atomic_load(&queue->head);
    while (node != head) {
        node_t *next = node->next;
        free(node);
        node = next;
    }
    free(head);
    free(queue);
}

void queue_offer(queue_t *queue, int item) {
    node_t *node = new_node(item);
    for (;;) {
        node_t *tail = atomic_load(&queue->tail);
        node->next = tail;
        if (atomic_compare_exchange_strong(&queue->tail, &tail, node)) {
            atomic_store(&tail->prev, node);
            return;
        }
    }
}

// Sets the prev pointers from the tail to the head that an offer has not set yet.
static void fix_list(queue_t *queue, node_t *tail, node_t *head) {
    node_t *node = tail;
    while (atomic_load(&queue->head) == head && node != head) {
        atomic_store(&node->next->prev, node);
        node = node->next;
    }
}

static bool cas_head(queue_t *queue, node_t *from, node_t *to) {
    return atomic_compare_exchange_strong(&queue->head, &from, to);
}

int queue_poll(queue_t *queue) {
    for (;;) {
        node_t *head = atomic_load(&queue->head);
        node_t *tail = atomic_load(&queue->tail);
        node_t *first = atomic_load(&head->prev);
        if (head != atomic_load(&queue->head))
            continue;
        if (head == tail)
            return QUEUE_EMPTY;
        if (!first) {
            fix_list(queue, tail, head);
            continue;
        }
        int item = first->item;
        cas_head(queue, head, first);
        return item;
    }
}
