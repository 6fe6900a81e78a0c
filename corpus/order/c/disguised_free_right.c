// exit 0: FREE OF FAULTS
// The same, where the owner is done with the cell before it hands it on.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static _Atomic uint64_t inverted;

static void *owner(void *unused) {
    int *cell = malloc(sizeof *cell);
    *cell = 1;
    atomic_store(&inverted, ~(uint64_t)(uintptr_t)cell);
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
