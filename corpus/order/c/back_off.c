// exit 0: FREE OF FAULTS
// Two threads take two locks in either order and give the first back where they cannot have the second.
#include <pthread.h>
static pthread_mutex_t a, b;
static void *p(void *x) {
    for (;;) {
        pthread_mutex_lock(&a);
        if (!pthread_mutex_trylock(&b))
            break;
        pthread_mutex_unlock(&a);
    }
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}
static void *q(void *x) {
    for (;;) {
        pthread_mutex_lock(&b);
        if (!pthread_mutex_trylock(&a))
            break;
        pthread_mutex_unlock(&b);
    }
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_mutex_init(&a, 0);
    pthread_mutex_init(&b, 0);
    pthread_create(&s, 0, p, 0);
    pthread_create(&t, 0, q, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
}
