// verdict: holds
// Who waits at a barrier or takes from a semaphore is not earlier than who came there.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_barrier_t barrier;
static sem_t posted;
static long stamps[2], given;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void *second(void *unused) {
    (void)unused;
    for (int i = 0; i < 5; i++) now();
    stamps[1] = now();
    pthread_barrier_wait(&barrier);
    assert(stamps[0] <= now());
    given = now();
    sem_post(&posted);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
    sem_init(&posted, 0, 0);
    pthread_create(&thread, 0, second, 0);
    stamps[0] = now();
    pthread_barrier_wait(&barrier);
    assert(stamps[1] <= now());
    sem_wait(&posted);
    long here = now();
    assert(given <= here);
    pthread_join(thread, 0);
    return 0;
}
