// exit 1: ASSERTION FAILED
// Both threads see that nobody has made the semaphore, and the second to make it forgets what the first has posted.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <assert.h>
static sem_t s;
static atomic_int ready;
static void *t(void *z) {
    if (!atomic_load(&ready)) {
        sem_init(&s, 0, 0);
        atomic_store(&ready, 1);
    }
    sem_post(&s);
    return z;
}
int main(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    t(0);
    pthread_join(p, 0);
    int v;
    sem_getvalue(&s, &v);
    assert(v == 2);
}
