// exit 0: FREE OF FAULTS
// Whoever passes the barrier comes after all that the others did before they came to it, twice.
#include <assert.h>
#include <pthread.h>

enum { THREADS = 2 };

static pthread_barrier_t barrier;
static int part[THREADS];
static int sum[THREADS];

static void *worker(void *number) {
    long me = (long)number;
    part[me] = 3;
    pthread_barrier_wait(&barrier);
    sum[me] = part[0] + part[1];
    pthread_barrier_wait(&barrier);
    assert(sum[0] == 6 && sum[1] == 6);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, THREADS);
    pthread_create(&thread, 0, worker, (void *)1);
    worker((void *)0);
    pthread_join(thread, 0);
}
