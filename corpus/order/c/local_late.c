// exit 1: USE AFTER FREE
// A variable of a thread lives as long as the thread, whatever that does last.
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local atomic_int own;
static _Atomic(atomic_int *) shared;
static atomic_int other;

static void *worker(void *unused) {
    atomic_store(&shared, &own);
    atomic_load(&other);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_int *p = atomic_load(&shared);
    if (p) atomic_load(p);
    pthread_join(thread, 0);
}
