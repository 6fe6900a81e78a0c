// exit 0: FREE OF FAULTS
// Two readers whose reads are all `seq_cst` agree on the order of two writes that are not.
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
static atomic_int x, y;
static int a, b, c, d;
static void *t1(void *p) {
    atomic_store_explicit(&x, 1, memory_order_release);
    return p;
}
static void *t2(void *p) {
    atomic_store_explicit(&y, 1, memory_order_release);
    return p;
}
static void *t3(void *p) {
    a = atomic_load_explicit(&x, memory_order_seq_cst);
    b = atomic_load_explicit(&y, memory_order_seq_cst);
    return p;
}
static void *t4(void *p) {
    c = atomic_load_explicit(&y, memory_order_seq_cst);
    d = atomic_load_explicit(&x, memory_order_seq_cst);
    return p;
}
int main(void) {
    pthread_t t[4];
    void *(*f[])(void *) = {t1, t2, t3, t4};
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, f[i], 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(!(a == 1 && b == 0 && c == 1 && d == 0));
}
