// A sorted list and a window: the K + 1 smallest values are moved into the window together and leave
// it in any order; only then the next window is filled. One lock, held as shortly as possible.
#include "quasi_priority_queue.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define K 2

typedef struct node {
    int priority;
    struct node *next;
} node_t;

struct priority_queue {
    pthread_mutex_t lock;
    node_t *list;   // sorted
    node_t *window; // the largest first
};

priority_queue_t *priority_queue_new(void) {
    priority_queue_t *queue = malloc(sizeof *queue);
    pthread_mutex_init(&queue->lock, NULL);
    queue->list = queue->window = NULL;
    return queue;
}

static void free_all(node_t *node) {
    while (node) {
        node_t *next = node->next;
        free(node);
        node = next;
    }
}

void priority_queue_free(priority_queue_t *queue) {
    free_all(queue->list);
    free_all(queue->window);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
}

void priority_queue_enq(priority_queue_t *queue, int priority) {
    node_t *node = malloc(sizeof *node);
    node->priority = priority;
    pthread_mutex_lock(&queue->lock);
    node_t **link = &queue->list;
    while (*link && (*link)->priority < priority)
        link = &(*link)->next;
    node->next = *link;
    *link = node;
    pthread_mutex_unlock(&queue->lock);
}

static void fill_window(priority_queue_t *queue) {
    for (int i = 0; i <= K && queue->list; i++) {
        node_t *node = queue->list;
        queue->list = node->next;
        node->next = queue->window;
        queue->window = node;
    }
}

static int take_from_window(priority_queue_t *queue) {
    node_t *node = queue->window;
    if (!node)
        return PRIORITY_QUEUE_EMPTY;
    queue->window = node->next;
    int priority = node->priority;
    free(node);
    return priority;
}

int priority_queue_deq_min(priority_queue_t *queue) {
    pthread_mutex_lock(&queue->lock);
    bool used_up = !queue->window;
    pthread_mutex_unlock(&queue->lock);
    if (used_up) {
        pthread_mutex_lock(&queue->lock);
        fill_window(queue);
        pthread_mutex_unlock(&queue->lock);
    }
    pthread_mutex_lock(&queue->lock);
    int priority = take_from_window(queue);
    pthread_mutex_unlock(&queue->lock);
    return priority;
}
