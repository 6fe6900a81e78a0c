// exit 0: FREE OF FAULTS
// What a release store publishes goes on through a relaxed addition: whoever acquires that sees it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *adder(void *unused) {
    if (atomic_load_explicit(&ready, memory_order_relaxed) == 1)
        atomic_fetch_add_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

static void *reader(void *unused) {
    if (atomic_load_explicit(&ready, memory_order_acquire) == 2)
        assert(data == 1);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, adder, 0);
    pthread_create(&threads[1], 0, reader, 0);
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
}
