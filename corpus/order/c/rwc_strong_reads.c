// exit 0: FREE OF FAULTS
// A relaxed write is read by `seq_cst` reads: who reads the old value comes before who reads the new one.
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
#define LD(v, o) atomic_load_explicit(&v, memory_order_##o)
#define ST(v, o) atomic_store_explicit(&v, 1, memory_order_##o)
#define F atomic_thread_fence(memory_order_seq_cst)
static atomic_int x, y, z;
static int a, b, c, d;
static void *t1(void *p) {
    ST(x, relaxed);
    return p;
}
static void *t2(void *p) {
    a = LD(x, seq_cst);
    b = LD(y, seq_cst);
    return p;
}
static void *t3(void *p) {
    ST(y, seq_cst);
    c = LD(x, seq_cst);
    return p;
}
static void *t4(void *p) {
    return p;
}
int main(void) {
    pthread_t t[4];
    void *(*f[])(void *) = {t1, t2, t3, t4};
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, f[i], 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(!(a == 1 && b == 0 && c == 0));
}
