// An array under a lock; a counter of available items spares poppers the lock when there is nothing.
#include "quasi_stack.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define CAPACITY 64

struct quasi_stack {
    pthread_mutex_t lock;
    int count;
    atomic_int available;
    int items[CAPACITY];
};

quasi_stack_t *stack_new(void) {
    quasi_stack_t *stack = malloc(sizeof *stack);
    pthread_mutex_init(&stack->lock, NULL);
    stack->count = 0;
    atomic_init(&stack->available, 0);
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
    atomic_fetch_add(&stack->available, 1);
}

int stack_pop(quasi_stack_t *stack) {
    // Reserve an item before waiting for the lock.
    if (atomic_fetch_sub(&stack->available, 1) <= 0) {
        atomic_fetch_add(&stack->available, 1);
        return STACK_EMPTY;
    }
    pthread_mutex_lock(&stack->lock);
    int value = stack->items[--stack->count];
    pthread_mutex_unlock(&stack->lock);
    return value;
}
