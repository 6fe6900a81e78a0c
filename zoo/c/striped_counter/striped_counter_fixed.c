// One word for all.
#include "striped_counter.h"

#include <stdatomic.h>
#include <stdlib.h>

struct counter {
    atomic_int value;
};

counter_t *counter_new(void) { return calloc(1, sizeof(counter_t)); }

void counter_free(counter_t *counter) { free(counter); }

void counter_increment(counter_t *counter) { atomic_fetch_add(&counter->value, 1); }

void counter_decrement(counter_t *counter) { atomic_fetch_sub(&counter->value, 1); }

int counter_get(counter_t *counter) { return atomic_load(&counter->value); }
