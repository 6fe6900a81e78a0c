// exit 1: USE AFTER FREE
// A pointer travels as the bits of a number with a point, and its owner frees what it points to.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static _Atomic double boxed;

static void *worker(void *unused) {
    int *cell = malloc(sizeof *cell);
    *cell = 1;
    uint64_t bits = (uint64_t)(uintptr_t)cell | 0x7ff8000000000000ull;
    double number;
    memcpy(&number, &bits, sizeof number);
    atomic_store(&boxed, number);
    free(cell);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    double number = atomic_load(&boxed);
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    if (bits) {
        int *cell = (int *)(uintptr_t)(bits & 0x0000ffffffffffffull);
        if (*cell == 2) abort();
    }
    pthread_join(thread, 0);
}
