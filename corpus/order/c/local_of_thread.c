// exit 1: USE AFTER FREE
// A variable of a thread is used after the thread has ended.
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local atomic_int own;
static _Atomic(atomic_int *) shared;

static void *worker(void *unused) {
    atomic_store(&shared, &own);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return atomic_load(atomic_load(&shared));
}
