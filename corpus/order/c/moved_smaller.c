// exit 1: USE AFTER FREE
// Even one that shrinks may.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(atomic_int *) block;

static void *worker(void *unused) {
    atomic_store(&block, realloc(atomic_load(&block), 8));
    return unused;
}

int main(void) {
    atomic_store(&block, calloc(64, sizeof(atomic_int)));
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_load(atomic_load(&block));
    pthread_join(thread, 0);
    free(atomic_load(&block));
}
