#ifndef AFEK_STACK_H
#define AFEK_STACK_H

#define STACK_EMPTY (-1)

// A stack of positive integers, for a limited number of pushes.
typedef struct afek_stack afek_stack_t;

afek_stack_t *stack_new(void);
void stack_free(afek_stack_t *stack);

void stack_push(afek_stack_t *stack, int value);
// The value pushed last, or STACK_EMPTY.
int stack_pop(afek_stack_t *stack);

#endif
