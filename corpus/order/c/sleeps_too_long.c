// exit 1: ASSERTION
// A loop that sleeps until a flag is set, and gives up by the clock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int ready;

static void *worker(void *unused) {
    ready = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    pthread_create(&thread, 0, worker, 0);
    while (!ready) {
        usleep(500000);
        clock_gettime(CLOCK_MONOTONIC, &now);
        assert(now.tv_sec - start.tv_sec < 2);
    }
    pthread_join(thread, 0);
}
