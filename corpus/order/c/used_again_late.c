// exit 1: USE AFTER FREE
// A stale pointer is only followed when the memory has long been allocated again.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) cell;
static atomic_int again;

static void *reader(void *unused) {
    int *stale = atomic_load(&cell);
    if (atomic_load(&again))
        return (void *)(long)*stale;
    return unused;
}

int main(void) {
    int *first = malloc(sizeof *first);
    *first = 1;
    atomic_store(&cell, first);
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    free(first);
    int *second = malloc(sizeof *second);
    *second = 1;
    atomic_store(&cell, second);
    atomic_store(&again, 1);
    pthread_join(thread, 0);
    free(second);
}
