// An array under a lock: strictly last in, first out.
#include "quasi_stack.h"

#include <pthread.h>
#include <stdlib.h>

#define CAPACITY 64

struct quasi_stack {
    pthread_mutex_t lock;
    int count;
    int items[CAPACITY];
};

quasi_stack_t *stack_new(void) {
    quasi_stack_t *stack = malloc(sizeof *stack);
    pthread_mutex_init(&stack->lock, NULL);
    stack->count = 0;
    return stack;
}

void stack_free(quasi_stack_t *stack) {
    pthread_mutex_destroy(&stack->lock);
    free(stack);
}

void stack_push(quasi_stack_t *stack, int value) {
    pthread_mutex_lock(&stack->lock);
    stack->items[stack->count++] = value;
    pthread_mutex_unlock(&stack->lock);
}

int stack_pop(quasi_stack_t *stack) {
    pthread_mutex_lock(&stack->lock);
    int value = stack->count > 0 ? stack->items[--stack->count] : STACK_EMPTY;
    pthread_mutex_unlock(&stack->lock);
    return value;
}
