#ifndef OPTIMISTIC_QUEUE_H
#define OPTIMISTIC_QUEUE_H

#define QUEUE_EMPTY (-1)

// A lock-free FIFO queue of integers other than QUEUE_EMPTY.
typedef struct queue queue_t;

queue_t *queue_new(void);
void queue_free(queue_t *queue);

void queue_offer(queue_t *queue, int item);
// The oldest item, or QUEUE_EMPTY.
int queue_poll(queue_t *queue);

#endif
