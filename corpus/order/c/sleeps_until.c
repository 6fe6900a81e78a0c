// exit 0: FREE OF FAULTS
// A loop that sleeps until a flag is set, in a program that looks at no clock, waits like any other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ready;
static int value;

static void *worker(void *unused) {
    usleep(1000);
    value = 7;
    ready = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    while (!ready)
        usleep(10);
    assert(value == 7);
    pthread_join(thread, 0);
}
