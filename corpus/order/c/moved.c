// exit 1: USE AFTER FREE
// A block that grows may move.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(atomic_int *) block;

static void *worker(void *unused) {
    atomic_int *bigger = realloc(atomic_load(&block), 4096);
    atomic_store(&block, bigger);
    return unused;
}

int main(void) {
    atomic_int *first = calloc(4, sizeof *first);
    atomic_store(&block, first);
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_load(atomic_load(&block));
    pthread_join(thread, 0);
    free(atomic_load(&block));
}
