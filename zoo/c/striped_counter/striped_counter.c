// Two stripes that threads spread over; reading sums them up.
#include "striped_counter.h"

#include <stdatomic.h>
#include <stdlib.h>

#define STRIPES 2

struct counter {
    atomic_int stripes[STRIPES];
};

// Which stripe this thread works on.
static int my_stripe(void) {
    static atomic_int arrivals;
    static _Thread_local int arrival = -1;
    if (arrival < 0)
        arrival = atomic_fetch_add(&arrivals, 1);
    return arrival % STRIPES;
}

counter_t *counter_new(void) { return calloc(1, sizeof(counter_t)); }

void counter_free(counter_t *counter) { free(counter); }

void counter_increment(counter_t *counter) { atomic_fetch_add(&counter->stripes[my_stripe()], 1); }

void counter_decrement(counter_t *counter) { atomic_fetch_sub(&counter->stripes[my_stripe()], 1); }

int counter_get(counter_t *counter) {
    int sum = 0;
    for (int i = 0; i < STRIPES; i++)
        sum += atomic_load(&counter->stripes[i]);
    return sum;
}
