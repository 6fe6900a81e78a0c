// A barrier that counts arrivals without a lock: two threads that count at the same time are one, and a third
// that asks how many have come gets it wrong.
#include <assert.h>
#include <pthread.h>

#define THREADS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int arrived, at_work;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    at_work++;
    pthread_mutex_unlock(&lock);
    int seen = arrived;
    arrived = seen + 1;
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(arrived == at_work);
    return 0;
}
