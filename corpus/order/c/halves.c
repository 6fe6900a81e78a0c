// exit 1: ASSERTION
// A pointer is published in two halves, and what it points to is written afterwards.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static _Atomic uint32_t low, high;

static void *reader(void *unused) {
    uint64_t address = (uint64_t)atomic_load(&high) << 32;
    if (address) {
        int *cell = (int *)(uintptr_t)(address | atomic_load(&low));
        assert(*cell == 42);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    int *cell = calloc(1, sizeof *cell);
    atomic_store(&low, (uint32_t)(uintptr_t)cell);
    atomic_store(&high, (uint32_t)((uintptr_t)cell >> 32));
    *cell = 42;
    pthread_join(thread, 0);
}
