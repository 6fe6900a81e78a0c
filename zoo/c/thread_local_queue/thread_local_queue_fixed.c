// One lane for all, under a lock.
#include "thread_local_queue.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct node {
    int value;
    struct node *next;
} node_t;

struct queue {
    pthread_mutex_t lock;
    node_t *head, *tail;
};

queue_t *queue_new(void) {
    queue_t *queue = calloc(1, sizeof *queue);
    pthread_mutex_init(&queue->lock, NULL);
    return queue;
}

void queue_free(queue_t *queue) {
    while (queue_deq(queue) != QUEUE_EMPTY)
        ;
    pthread_mutex_destroy(&queue->lock);
    free(queue);
}

void queue_enq(queue_t *queue, int value) {
    node_t *node = malloc(sizeof *node);
    node->value = value;
    node->next = NULL;
    pthread_mutex_lock(&queue->lock);
    if (queue->tail)
        queue->tail->next = node;
    else
        queue->head = node;
    queue->tail = node;
    pthread_mutex_unlock(&queue->lock);
}

int queue_deq(queue_t *queue) {
    pthread_mutex_lock(&queue->lock);
    node_t *node = queue->head;
    int value = QUEUE_EMPTY;
    if (node) {
        value = node->value;
        queue->head = node->next;
        if (!queue->head)
            queue->tail = NULL;
        free(node);
    }
    pthread_mutex_unlock(&queue->lock);
    return value;
}
