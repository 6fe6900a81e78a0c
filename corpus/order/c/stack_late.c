// exit 1: USE AFTER FREE
// The last thing that a function does before it returns has nothing to do with whoever uses its variable.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(atomic_int *) shared;
static atomic_int other;

static void lend(void) {
    atomic_int local = 1;
    atomic_store(&shared, &local);
    atomic_load(&other);
}

static void *worker(void *unused) {
    lend();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_int *p = atomic_load(&shared);
    if (p) atomic_load(p);
    pthread_join(thread, 0);
}
