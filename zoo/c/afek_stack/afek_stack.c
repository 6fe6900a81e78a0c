// The array stack of Afek, Gafni and Morrison: a push reserves the next slot and fills it, a pop looks
// for the highest filled slot and empties it.
#include "afek_stack.h"

#include <stdatomic.h>
#include <stdlib.h>

#define CAPACITY 64

struct afek_stack {
    atomic_int range; // the first unused slot
    atomic_int items[CAPACITY];
};

enum { FREE = 0 };

afek_stack_t *stack_new(void) {
    afek_stack_t *stack = malloc(sizeof *stack);
    atomic_init(&stack->range, 0);
    for (int i = 0; i < CAPACITY; i++)
        atomic_init(&stack->items[i], FREE);
    return stack;
}

void stack_free(afek_stack_t *stack) { free(stack); }

void stack_push(afek_stack_t *stack, int value) {
    int i = atomic_fetch_add(&stack->range, 1);
    atomic_store(&stack->items[i], value);
}

int stack_pop(afek_stack_t *stack) {
    int range = atomic_load(&stack->range);
    for (int i = range - 1; i >= 0; i--) {
        int value = atomic_load(&stack->items[i]);
        atomic_store(&stack->items[i], FREE);
        if (value != FREE)
            return value;
    }
    return STACK_EMPTY;
}
