#ifndef THREAD_LOCAL_QUEUE_H
#define THREAD_LOCAL_QUEUE_H

#define QUEUE_EMPTY (-1)

// A FIFO queue of integers other than QUEUE_EMPTY, without contention.
typedef struct queue queue_t;

queue_t *queue_new(void);
void queue_free(queue_t *queue);

void queue_enq(queue_t *queue, int value);
// The oldest value, or QUEUE_EMPTY.
int queue_deq(queue_t *queue);

#endif
