// Treiber's stack. Popped nodes are left to a collector, so that no address comes back.
#include "constant_is_empty.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
    int value;
    struct node *next;
} node_t;

struct treiber_stack {
    _Atomic(node_t *) top;
};

treiber_stack_t *stack_new(void) {
    treiber_stack_t *stack = malloc(sizeof *stack);
    atomic_init(&stack->top, NULL);
    return stack;
}

void stack_free(treiber_stack_t *stack) {
    for (node_t *node = stack->top; node;) {
        node_t *next = node->next;
        free(node);
        node = next;
    }
    free(stack);
}

void stack_push(treiber_stack_t *stack, int value) {
    node_t *node = malloc(sizeof *node);
    node->value = value;
    node->next = atomic_load(&stack->top);
    while (!atomic_compare_exchange_weak(&stack->top, &node->next, node))
        ;
}

int stack_pop(treiber_stack_t *stack) {
    node_t *top = atomic_load(&stack->top);
    while (top && !atomic_compare_exchange_weak(&stack->top, &top, top->next))
        ;
    return top ? top->value : STACK_EMPTY;
}

bool stack_is_empty(treiber_stack_t *stack) { return !atomic_load(&stack->top); }
