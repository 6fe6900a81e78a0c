// Dekker's entrance with release and acquire: each may miss that the other came, and both go in.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static atomic_int inside;

static void *enter(void *arg) {
    int me = arg != 0;
    atomic_store_explicit(&wants[me], 1, memory_order_release);
    if (!atomic_load_explicit(&wants[1 - me], memory_order_acquire)) {
        assert(atomic_fetch_add(&inside, 1) == 0);
    }
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, enter, &inside);
    enter(0);
    pthread_join(other, 0);
    return 0;
}

// repair: 11 memory_order_release → memory_order_seq_cst
// repair: 12 memory_order_acquire → memory_order_seq_cst
