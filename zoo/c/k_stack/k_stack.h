#ifndef K_STACK_H
#define K_STACK_H

#define STACK_EMPTY (-1)

// A stack of positive integers whose pops may be out of order by at most K - 1 steps, K = 2.
typedef struct k_stack k_stack_t;

k_stack_t *stack_new(void);
void stack_free(k_stack_t *stack);

void stack_push(k_stack_t *stack, int value);
// One of the values pushed last, or STACK_EMPTY.
int stack_pop(k_stack_t *stack);

#endif
