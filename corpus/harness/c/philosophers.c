/* Three philosophers, each taking the left fork first. */
#include <pthread.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int meals;

static void *eat(void *seat) {
    long i = (long)seat;
    pthread_mutex_lock(&forks[i]);
    pthread_mutex_lock(&forks[(i + 1) % 3]);
    meals++;
    pthread_mutex_unlock(&forks[(i + 1) % 3]);
    pthread_mutex_unlock(&forks[i]);
    return 0;
}

int main(void) {
    pthread_t philosophers[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&philosophers[i], 0, eat, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(philosophers[i], 0);
    return 0;
}
