// exit 1: ASSERTION FAILED
// `sem_getvalue` writes where it is told to.
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
static sem_t s;
static int v;
static void *t(void *z) {
    sem_getvalue(&s, &v);
    return z;
}
int main(void) {
    sem_init(&s, 0, 2);
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    assert(v == 0);
    pthread_join(p, 0);
}
