// exit 1: DATA RACE
// A later relaxed store of the same thread publishes nothing of what the release store before it did.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *reader(void *unused) {
    if (atomic_load_explicit(&ready, memory_order_acquire) == 2)
        return data == 1 ? unused : &data;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    atomic_store_explicit(&ready, 2, memory_order_relaxed);
    pthread_join(thread, 0);
}
