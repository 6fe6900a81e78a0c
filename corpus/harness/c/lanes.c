// A queue with lanes: values go to one lane after the other, and leave from the first that has any.
// The golden model is the same with one lane, which is a queue without any relaxation.
#include <linspect.h>

#include <pthread.h>
#include <stdlib.h>

enum { ROOM = 8 };

typedef struct {
    pthread_mutex_t lock;
    int lanes, next;
    int first[2], last[2];
    int values[2][ROOM];
} queue_t;

static queue_t *queue_new(int lanes) {
    queue_t *queue = calloc(1, sizeof *queue);
    pthread_mutex_init(&queue->lock, NULL);
    queue->lanes = lanes;
    return queue;
}

static void enq(queue_t *queue, int value) {
    pthread_mutex_lock(&queue->lock);
    int lane = queue->next;
    queue->next = (lane + 1) % queue->lanes;
    queue->values[lane][queue->last[lane]++] = value;
    pthread_mutex_unlock(&queue->lock);
}

static int deq(queue_t *queue) {
    int value = -1;
    pthread_mutex_lock(&queue->lock);
    for (int lane = 0; lane < queue->lanes && value < 0; lane++)
        if (queue->first[lane] < queue->last[lane])
            value = queue->values[lane][queue->first[lane]++];
    pthread_mutex_unlock(&queue->lock);
    return value;
}

LINSPECT_OBJECT(queue_t *, queue, queue_new(2))
LINSPECT_OP(enq, enq(queue, value), int value, 1, 2, 3)
LINSPECT_OP_RET(int, deq, deq(queue))
LINSPECT_GOLDEN(queue, queue_new(1))
