#ifndef QUASI_STACK_H
#define QUASI_STACK_H

#define STACK_EMPTY (-1)

// A bounded stack of integers other than STACK_EMPTY; pops may be out of order by at most K = 2 steps.
typedef struct quasi_stack quasi_stack_t;

quasi_stack_t *stack_new(void);
void stack_free(quasi_stack_t *stack);

void stack_push(quasi_stack_t *stack, int value);
// One of the values pushed last, or STACK_EMPTY.
int stack_pop(quasi_stack_t *stack);

#endif
