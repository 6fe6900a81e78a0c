// exit 1: ASSERTION
// What is registered for the end runs beside threads that nobody joined.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int seen;

static void at_end(void) {
    int before = atomic_load(&seen);
    assert(before == atomic_load(&seen));
}

static void *worker(void *unused) {
    atomic_store(&seen, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    atexit(at_end);
    pthread_create(&thread, 0, worker, 0);
    return 0;
}
