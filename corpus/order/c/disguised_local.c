// exit 1: ASSERTION
// A local variable of one thread is handed to another under a mask, by a thread that has ended when it is read.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define MASK 0x5555555555555555u

static _Atomic uint64_t disguised;
static atomic_int done;

static void *owner(void *unused) {
    int local = 0;
    atomic_store(&disguised, (uint64_t)(uintptr_t)&local ^ MASK);
    local = 1;
    while (!atomic_load(&done))
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, owner, 0);
    uint64_t word = atomic_load(&disguised);
    if (word)
        assert(*(int *)(uintptr_t)(word ^ MASK) == 1);
    atomic_store(&done, 1);
    pthread_join(thread, 0);
}
