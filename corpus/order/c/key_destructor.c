// exit 1: ASSERTION
// The destructor of a thread's value runs after its function returned.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_key_t key;
static atomic_int returned, destroyed;

static void destroy(void *value) {
    (void)value;
    atomic_store(&destroyed, 1);
}

static void *worker(void *unused) {
    pthread_setspecific(key, &key);
    atomic_store(&returned, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, 0, worker, 0);
    int early = atomic_load(&returned) && !atomic_load(&destroyed);
    pthread_join(thread, 0);
    assert(atomic_load(&destroyed));
    assert(!early);
}
