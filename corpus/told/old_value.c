// A message is passed with relaxed orderings: the reader sees the flag and an old value, which has to stand in the report in 80 columns, too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *t0(void *u) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}
static void *t1(void *u) {
    a = atomic_load_explicit(&y, memory_order_relaxed);
    b = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, t0, 0); pthread_create(&t[1], 0, t1, 0);
    pthread_join(t[0], 0); pthread_join(t[1], 0);
    assert(!(a == 1 && b == 0));
    return 0;
}

// says: x is 0: old, T1 has written it since
// says: the store `memory_order_relaxed` → `memory_order_release`
// says: the load `memory_order_relaxed` → `memory_order_acquire`
// says: only weaker orderings allow this
