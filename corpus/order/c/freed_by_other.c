// exit 1: USE AFTER FREE
// What one thread frees and takes again another one still uses.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(atomic_int *) shared;

static void *worker(void *unused) {
    free(atomic_exchange(&shared, 0));
    atomic_int *again = malloc(sizeof *again);
    atomic_init(again, 7);
    atomic_store(&shared, again);
    return unused;
}

int main(void) {
    atomic_int *first = malloc(sizeof *first);
    atomic_init(first, 7);
    atomic_store(&shared, first);
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_int *p = atomic_load(&shared);
    int seen = p ? atomic_load(p) : 7;
    pthread_join(thread, 0);
    return seen - 7;
}
