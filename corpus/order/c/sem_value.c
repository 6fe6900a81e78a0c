// exit 1: ASSERTION
// The value of a semaphore is whatever it is at that moment.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t given;

static void *worker(void *unused) {
    sem_post(&given);
    return unused;
}

int main(void) {
    pthread_t thread;
    int value;
    sem_init(&given, 0, 0);
    pthread_create(&thread, 0, worker, 0);
    sem_getvalue(&given, &value);
    pthread_join(thread, 0);
    assert(value == 0);
}
