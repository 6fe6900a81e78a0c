// exit 1: DATA RACE
// The barrier orders what comes before it. What the first thread writes behind it races with what the second reads there,
// although both come to the barrier once more.
#include <pthread.h>

static pthread_barrier_t barrier;
static int next;

static void *reader(void *unused) {
    pthread_barrier_wait(&barrier);
    int seen = next;
    pthread_barrier_wait(&barrier);
    return seen > 1 ? unused : 0;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&thread, 0, reader, 0);
    pthread_barrier_wait(&barrier);
    next = 1;
    pthread_barrier_wait(&barrier);
    pthread_join(thread, 0);
}
