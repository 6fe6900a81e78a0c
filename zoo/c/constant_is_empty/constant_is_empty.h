#ifndef CONSTANT_IS_EMPTY_H
#define CONSTANT_IS_EMPTY_H

#include <stdbool.h>

#define STACK_EMPTY (-1)

// A lock-free stack of integers other than STACK_EMPTY.
typedef struct treiber_stack treiber_stack_t;

treiber_stack_t *stack_new(void);
void stack_free(treiber_stack_t *stack);

void stack_push(treiber_stack_t *stack, int value);
// The value pushed last, or STACK_EMPTY.
int stack_pop(treiber_stack_t *stack);
bool stack_is_empty(treiber_stack_t *stack);

#endif
