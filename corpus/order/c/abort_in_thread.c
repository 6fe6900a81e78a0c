// exit 1: ABORTED
// A thread aborts in one order.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready;

static void *worker(void *unused) {
    if (!atomic_load(&ready)) abort();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_store(&ready, 1);
    pthread_join(thread, 0);
}
