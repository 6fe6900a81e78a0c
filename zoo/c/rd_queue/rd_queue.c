// The random dequeue queue of Afek, Korland and Yanovsky with its virtual window: a dequeue takes any of
// the first K + 1 nodes after `head`, and `head` moves on only when all of them are taken. Here the last
// one in the window goes first. Taken nodes are left to a collector.
#include "rd_queue.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define K 2

typedef struct node {
    int value;
    atomic_bool taken;
    _Atomic(struct node *) next;
} node_t;

struct queue {
    _Atomic(node_t *) head; // the node before the window
    _Atomic(node_t *) tail; // the last node or one before it
};

static node_t *new_node(int value) {
    node_t *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->taken, false);
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

static bool take(node_t *node) {
    bool taken = false;
    return !atomic_load(&node->taken)
        && atomic_compare_exchange_strong(&node->taken, &taken, true);
}

int queue_deq(queue_t *queue) {
    for (;;) {
        node_t *head = atomic_load(&queue->head);
        node_t *window[K + 1];
        node_t *last = head;
        int n = 0;
        while (n <= K && (window[n] = atomic_load(&last->next)))
            last = window[n++];
        for (int i = n - 1; i >= 0; i--)
            if (take(window[i]))
                return window[i]->value;
        if (n == K + 1)
            atomic_compare_exchange_strong(&queue->head, &head, last);
        else if (!atomic_load(&last->next)) // all taken, and still nothing behind them
            return QUEUE_EMPTY;
    }
}
