// exit 1: MISUSE
// A mutex is destroyed beside a thread that locks it.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t p;
static int x;
static void *t(void *a) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_create(&p, 0, t, 0);
    pthread_mutex_destroy(&m);
    pthread_join(p, 0);
}
