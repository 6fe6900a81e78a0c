// verdict: holds, and nobody sleeps at a condition
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t opened;
static int is_open;

static void *pass(void *unused) {
    sem_wait(&opened);
    assert(is_open);
    return unused;
}

int main(void) {
    pthread_t waiter;
    sem_init(&opened, 0, 0);
    pthread_create(&waiter, 0, pass, 0);
    is_open = 1;
    sem_post(&opened);
    pthread_join(waiter, 0);
}
