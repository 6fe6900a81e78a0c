// exit 1: USE AFTER FREE
// A structure is copied into a variable that nobody looks at.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pair { int a, b; };
static _Atomic(struct pair *) shared;

static void *worker(void *unused) {
    free(atomic_exchange(&shared, 0));
    return unused;
}

int main(void) {
    struct pair *first = calloc(1, sizeof *first);
    atomic_store(&shared, first);
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    struct pair *p = atomic_load(&shared);
    if (p) {
        struct pair copy = *p;
        (void)copy;
    }
    pthread_join(thread, 0);
}
