// exit 1: ASSERTION
// A structure of two words is atomic as a whole, but not with what comes after it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct { long a, b; } pair;
static _Atomic pair shared;

static void *worker(void *unused) {
    pair p = atomic_load(&shared);
    p.a++;
    p.b++;
    atomic_store(&shared, p);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    pair p = atomic_load(&shared);
    assert(p.a == p.b);
    assert(p.a == 2);
}
