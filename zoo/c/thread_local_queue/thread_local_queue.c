// Every thread has a lane of its own, so that nobody ever waits for anybody.
#include "thread_local_queue.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct node {
    int value;
    struct node *next;
} node_t;

typedef struct {
    node_t *head, *tail;
} lane_t;

struct queue {
    pthread_key_t lane;
};

static void free_lane(void *data) {
    lane_t *lane = data;
    while (lane->head) {
        node_t *node = lane->head;
        lane->head = node->next;
        free(node);
    }
    free(lane);
}

static lane_t *my_lane(queue_t *queue) {
    lane_t *lane = pthread_getspecific(queue->lane);
    if (!lane) {
        lane = calloc(1, sizeof *lane);
        pthread_setspecific(queue->lane, lane);
    }
    return lane;
}

queue_t *queue_new(void) {
    queue_t *queue = malloc(sizeof *queue);
    pthread_key_create(&queue->lane, free_lane);
    return queue;
}

void queue_free(queue_t *queue) {
    free_lane(my_lane(queue));
    pthread_key_delete(queue->lane);
    free(queue);
}

void queue_enq(queue_t *queue, int value) {
    lane_t *lane = my_lane(queue);
    node_t *node = malloc(sizeof *node);
    node->value = value;
    node->next = NULL;
    if (lane->tail)
        lane->tail->next = node;
    else
        lane->head = node;
    lane->tail = node;
}

int queue_deq(queue_t *queue) {
    lane_t *lane = my_lane(queue);
    node_t *node = lane->head;
    if (!node)
        return QUEUE_EMPTY;
    lane->head = node->next;
    if (!lane->head)
        lane->tail = NULL;
    int value = node->value;
    free(node);
    return value;
}
