// Two transfers in opposite directions take the same two locks in opposite orders.
#include <pthread.h>

static pthread_mutex_t savings = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t wages = PTHREAD_MUTEX_INITIALIZER;
static int in_savings = 10, in_wages = 10;

static void *save(void *unused) {
    pthread_mutex_lock(&wages);
    pthread_mutex_lock(&savings);
    in_wages--;
    in_savings++;
    pthread_mutex_unlock(&savings);
    pthread_mutex_unlock(&wages);
    return unused;
}

static void *spend(void *unused) {
    pthread_mutex_lock(&savings);
    pthread_mutex_lock(&wages);
    in_savings--;
    in_wages++;
    pthread_mutex_unlock(&wages);
    pthread_mutex_unlock(&savings);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, save, NULL);
    pthread_create(&b, NULL, spend, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
