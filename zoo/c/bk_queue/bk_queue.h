#ifndef BK_QUEUE_H
#define BK_QUEUE_H

#include <stdbool.h>

#define QUEUE_EMPTY (-1)

// A bounded queue of positive integers whose dequeues may overtake each other by at most K - 1 steps, K = 2.
typedef struct queue queue_t;

queue_t *queue_new(void);
void queue_free(queue_t *queue);

// False if there is no room.
bool queue_enq(queue_t *queue, int value);
// One of the oldest values, or QUEUE_EMPTY.
int queue_deq(queue_t *queue);

#endif
