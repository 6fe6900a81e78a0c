// exit 1: ASSERTION
// Two threads that end the process: the handlers of one see what the other did.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int who;

static void at_end(void) { assert(atomic_load(&who) == 1); }

static void *worker(void *unused) {
    atomic_store(&who, 2);
    return unused;
}

int main(void) {
    pthread_t thread;
    atexit(at_end);
    atomic_store(&who, 1);
    pthread_create(&thread, 0, worker, 0);
    exit(0);
}
