// exit 1: ASSERTION
// The program's destructor runs when `main` has returned, beside a thread that nobody has joined.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int busy;

__attribute__((destructor)) static void end(void) { assert(!busy); }

static void *worker(void *unused) {
    busy = 1;
    busy = 0;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    return 0;
}
