#ifndef RD_QUEUE_H
#define RD_QUEUE_H

#define QUEUE_EMPTY (-1)

// A queue of positive integers whose dequeues may overtake each other by at most K = 2 steps.
typedef struct queue queue_t;

queue_t *queue_new(void);
void queue_free(queue_t *queue);

void queue_enq(queue_t *queue, int value);
// One of the oldest values, or QUEUE_EMPTY.
int queue_deq(queue_t *queue);

#endif
