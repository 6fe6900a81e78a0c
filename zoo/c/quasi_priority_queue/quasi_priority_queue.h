#ifndef QUASI_PRIORITY_QUEUE_H
#define QUASI_PRIORITY_QUEUE_H

#define PRIORITY_QUEUE_EMPTY (-1)

// A priority queue of integers other than PRIORITY_QUEUE_EMPTY, each its own priority. Removals may be
// out of order by at most K = 2 steps.
typedef struct priority_queue priority_queue_t;

priority_queue_t *priority_queue_new(void);
void priority_queue_free(priority_queue_t *queue);

void priority_queue_enq(priority_queue_t *queue, int priority);
// One of the smallest, or PRIORITY_QUEUE_EMPTY.
int priority_queue_deq_min(priority_queue_t *queue);

#endif
