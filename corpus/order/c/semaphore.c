// exit 0: FREE OF FAULTS
// A semaphore orders what was done before it was given.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t given;
static int data;

static void *worker(void *unused) {
    data = 1;
    sem_post(&given);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&given, 0, 0);
    pthread_create(&thread, 0, worker, 0);
    sem_wait(&given);
    assert(data == 1);
    pthread_join(thread, 0);
}
