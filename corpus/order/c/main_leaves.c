// exit 1: ASSERTION
// main ends its own thread, not the process.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left;

static void *worker(void *unused) {
    assert(!atomic_load(&left));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_detach(thread);
    atomic_store(&left, 1);
    pthread_exit(0);
}
