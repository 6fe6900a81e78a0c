// verdict: holds
// Readers count themselves in, in one of two epochs; who updates waits for both.
#include <linspect.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <pthread.h>
struct conf { int a, b; };
static _Atomic(struct conf *) cur; static atomic_int epoch, readers[2]; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int get(void) {
    int e;
    for (;;) { e = atomic_load(&epoch) & 1; atomic_fetch_add(&readers[e], 1); if ((atomic_load(&epoch) & 1) == e) break; atomic_fetch_sub(&readers[e], 1); }
    struct conf *c = atomic_load(&cur); int r = c->a * 100 + c->b;
    atomic_fetch_sub(&readers[e], 1); return r;
}
static void set(int v) {
    struct conf *n = malloc(sizeof *n); n->a = n->b = v;
    pthread_mutex_lock(&m);
    struct conf *old = atomic_exchange(&cur, n);
    int e = atomic_fetch_add(&epoch, 1) & 1;
    while (atomic_load(&readers[e]) != 0) {}
    free(old);
    pthread_mutex_unlock(&m);
}
LINSPECT_SETUP { struct conf *c = malloc(sizeof *c); c->a = c->b = 0; cur = c; epoch = 0; readers[0] = readers[1] = 0; }
LINSPECT_TEARDOWN { free(cur); }
LINSPECT_OP_RET(int, get, get())
LINSPECT_OP(set, set(v), int v, 1, 2)
