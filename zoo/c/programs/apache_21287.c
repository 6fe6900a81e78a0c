// Apache bug 21287, mod_mem_cache, in essence: a reference count goes down in one step and is asked whether it
// is zero in another, so that two holders both clean up.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int refcount = 2;
static atomic_int freed;

static void *release(void *unused) {
    atomic_fetch_sub(&refcount, 1);
    if (atomic_load(&refcount) == 0) {
        int before = atomic_fetch_add(&freed, 1);
        assert(before == 0);
    }
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, release, NULL);
    pthread_create(&t2, NULL, release, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
