// Every thread counts for itself and hands over to the shared count only now and then; a reader adds what it
// knows: the shared count and its own.
#include "sloppy_counter.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define BATCH 8

struct counter {
    atomic_int shared;
    pthread_key_t own; // an intptr_t
};

static intptr_t own_count(counter_t *counter) { return (intptr_t)pthread_getspecific(counter->own); }

counter_t *counter_new(void) {
    counter_t *counter = malloc(sizeof *counter);
    atomic_init(&counter->shared, 0);
    pthread_key_create(&counter->own, NULL);
    return counter;
}

void counter_free(counter_t *counter) {
    pthread_key_delete(counter->own);
    free(counter);
}

static void add(counter_t *counter, int n) {
    intptr_t own = own_count(counter) + n;
    if (own >= BATCH || own <= -BATCH) {
        atomic_fetch_add(&counter->shared, (int)own);
        own = 0;
    }
    pthread_setspecific(counter->own, (void *)own);
}

void counter_increment(counter_t *counter) { add(counter, 1); }

void counter_decrement(counter_t *counter) { add(counter, -1); }

int counter_get(counter_t *counter) {
    return atomic_load(&counter->shared) + (int)own_count(counter);
}
