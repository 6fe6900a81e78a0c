// exit 0: FREE OF FAULTS
// A locked instruction is a fence on x86, whatever it changes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void fence(void) {
    int own = 0;
    __asm__ __volatile__("lock; orl $0, %0" : "+m"(own) : : "memory");
}

static void *one(void *unused) {
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    fence();
    a = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

static void *two(void *unused) {
    (void)unused;
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    fence();
    b = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, one, 0);
    pthread_create(&threads[1], 0, two, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(a || b);
}
