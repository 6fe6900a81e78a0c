// exit 1: ASSERTION
// A local variable of a thread is reached through a pointer that was turned.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uintptr_t where;
static atomic_int done;

static void *worker(void *unused) {
    atomic_int local = 0;
    atomic_store(&where, ~(uintptr_t)&local);
    atomic_store(&local, 1);
    while (!atomic_load(&done))
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    uintptr_t w = atomic_load(&where);
    if (w) assert(atomic_load((atomic_int *)~w) == 1);
    atomic_store(&done, 1);
    pthread_join(thread, 0);
}
