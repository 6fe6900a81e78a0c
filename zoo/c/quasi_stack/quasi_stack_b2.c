// An array under a lock; `top` marks where to pop, and need not be the very last item.
#include "quasi_stack.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define CAPACITY 64

struct quasi_stack {
    pthread_mutex_t lock;
    int count;
    atomic_int top;
    int items[CAPACITY];
};

quasi_stack_t *stack_new(void) {
    quasi_stack_t *stack = malloc(sizeof *stack);
    pthread_mutex_init(&stack->lock, NULL);
    stack->count = 0;
    atomic_init(&stack->top, 0);
    return stack;
}

void stack_free(quasi_stack_t *stack) {
    pthread_mutex_destroy(&stack->lock);
    free(stack);
}

void stack_push(quasi_stack_t *stack, int value) {
    pthread_mutex_lock(&stack->lock);
    stack->items[stack->count++] = value;
    atomic_store(&stack->top, stack->count);
    pthread_mutex_unlock(&stack->lock);
}

int stack_pop(quasi_stack_t *stack) {
    pthread_mutex_lock(&stack->lock);
    if (stack->count == 0) {
        pthread_mutex_unlock(&stack->lock);
        return STACK_EMPTY;
    }
    int top = atomic_load(&stack->top);
    if (top == 0 || top > stack->count)
        top = stack->count;
    int value = stack->items[top - 1];
    stack->count--;
    for (int i = top - 1; i < stack->count; i++)
        stack->items[i] = stack->items[i + 1];
    pthread_mutex_unlock(&stack->lock);
    atomic_store(&stack->top, top - 1);
    return value;
}
