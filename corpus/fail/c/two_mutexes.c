// Two threads wait at one condition, each with another mutex.
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *waits(void *mutex) {
    pthread_mutex_lock(mutex);
    pthread_cond_wait(&condition, mutex); // fault: Misuse another mutex
    pthread_mutex_unlock(mutex);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, waits, &one);
    pthread_create(&second, NULL, waits, &other);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
