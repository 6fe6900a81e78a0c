#ifndef IQUEUE_H
#define IQUEUE_H

#define QUEUE_EMPTY (-1)

// An array-based FIFO queue of positive integers, for a limited number of enqueues.
typedef struct queue queue_t;

queue_t *queue_new(void);
void queue_free(queue_t *queue);

void queue_enq(queue_t *queue, int value);
// The oldest value, or QUEUE_EMPTY.
int queue_deq(queue_t *queue);

#endif
