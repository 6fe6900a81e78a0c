// exit 1: ASSERTION
// A pointer is published as a distance from another one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static char base;
static _Atomic intptr_t distance;

static void *worker(void *unused) {
    atomic_int *cell = calloc(1, sizeof *cell);
    atomic_store(&distance, (intptr_t)cell - (intptr_t)&base);
    atomic_store(cell, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    intptr_t d = atomic_load(&distance);
    if (d) {
        atomic_int *cell = (atomic_int *)(d + (intptr_t)&base);
        assert(atomic_load(cell) == 1);
    }
    pthread_join(thread, 0);
}
