// exit 1: USE AFTER FREE
// A local variable is used by another thread, perhaps after its function has returned.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(atomic_int *) shared;

static void lend(void) {
    atomic_int local = 1;
    atomic_store(&shared, &local);
}

static void *worker(void *unused) {
    lend();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_int *p = atomic_load(&shared);
    if (p) atomic_load(p);
    pthread_join(thread, 0);
}
