// exit 1: ASSERTION FAILED
// Both threads make the mutex, the second while the first holds it: both are inside.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static pthread_mutex_t m;
static atomic_int ready, inside;
static void *t(void *z) {
    if (!atomic_load(&ready)) {
        pthread_mutex_init(&m, 0);
        atomic_store(&ready, 1);
    }
    pthread_mutex_lock(&m);
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    pthread_mutex_unlock(&m);
    return z;
}
int main(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    t(0);
    pthread_join(p, 0);
}
