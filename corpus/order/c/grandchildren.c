// exit 1: ASSERTION
// Threads of two threads: who adds when is open, and a lost addition is seen.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *leaf(void *unused) {
    atomic_store(&sum, atomic_load(&sum) + 1);
    return unused;
}

static void *branch(void *unused) {
    pthread_t thread;
    pthread_create(&thread, 0, leaf, 0);
    pthread_join(thread, 0);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, branch, 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    assert(atomic_load(&sum) == 2);
}
