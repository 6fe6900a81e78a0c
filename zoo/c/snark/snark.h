#ifndef SNARK_H
#define SNARK_H

#define DEQUE_EMPTY (-1)

// A double-ended queue of positive integers.
typedef struct deque deque_t;

deque_t *deque_new(void);

void deque_push_left(deque_t *deque, int value);
void deque_push_right(deque_t *deque, int value);
// The value at that end, or DEQUE_EMPTY.
int deque_pop_left(deque_t *deque);
int deque_pop_right(deque_t *deque);

#endif
