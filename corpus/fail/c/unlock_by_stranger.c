#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *arg) {
    pthread_mutex_unlock(&lock); // fault: Misuse does not hold
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_mutex_lock(&lock);
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
}
