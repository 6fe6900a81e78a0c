// exit 1: USE AFTER FREE
// Whoever takes a cell, which is handed on inverted, only frees it: its owner may still write to it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static _Atomic uint64_t inverted;

static void *owner(void *unused) {
    int *cell = malloc(sizeof *cell);
    *cell = 0;
    atomic_store(&inverted, ~(uint64_t)(uintptr_t)cell);
    *cell = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, owner, 0);
    uint64_t word = atomic_load(&inverted);
    if (word)
        free((void *)(uintptr_t)~word);
    pthread_join(thread, 0);
}
