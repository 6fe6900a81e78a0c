// exit 1: USE AFTER FREE
// The place of a local variable is another one's when it is used.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(atomic_int *) shared;
static atomic_int given;

static void lend(void) {
    atomic_int local = 1;
    atomic_store(&shared, &local);
}

static void take(void) {
    atomic_int local = 1;
    atomic_fetch_add(&local, atomic_load(&given));
    atomic_load(&given);
}

static void *worker(void *unused) {
    lend();
    take();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_int *p = atomic_load(&shared);
    if (p) atomic_load(p);
    pthread_join(thread, 0);
}
