// exit 0: FREE OF FAULTS
// A function returns only when nobody uses its variable any longer.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(atomic_int *) shared;

static void lend(void) {
    atomic_int local = 0;
    atomic_store(&shared, &local);
    while (!atomic_load(&local))
        ;
}

static void *worker(void *unused) {
    lend();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_int *p;
    while (!(p = atomic_load(&shared)))
        ;
    atomic_store(p, 1);
    pthread_join(thread, 0);
}
