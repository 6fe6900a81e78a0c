// The pool of two Treiber stacks of Holzer et al., "Error Invariants for Concurrent Traces", Appendix B. Each
// stack is linearizable; a removal that looks into one after the other is not, and may find "nothing"
// although there always was something. Which stack an operation starts with is up to its caller here.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define EMPTY (-1)
#define NODES 8

// Stacks of indices into one array of nodes; nodes are not reused.
static int value[NODES];
static int next[NODES];
static atomic_int used;
static atomic_int ts_top[2] = {EMPTY, EMPTY};

static void ts_push(int stack, int v) {
    int node = atomic_fetch_add(&used, 1);
    value[node] = v;
    int top = atomic_load(&ts_top[stack]);
    do {
        next[node] = top;
    } while (!atomic_compare_exchange_strong(&ts_top[stack], &top, node)); // push
}

static int ts_pop(int stack) {
    int top = atomic_load(&ts_top[stack]); // pop looks
    while (top != EMPTY)
        if (atomic_compare_exchange_strong(&ts_top[stack], &top, next[top])) // pop takes
            return value[top];
    return EMPTY;
}

static void pool_ins(int first, int v) { ts_push(first, v); }

static int pool_rem(int first) {
    for (int i = 0; i < 2; i++) {
        int v = ts_pop((first + i) % 2);
        if (v != EMPTY)
            return v;
    }
    return EMPTY;
}

static void *thread1(void *unused) {
    pool_ins(0, 1);
    pool_rem(1);
    return unused;
}

static void *thread2(void *unused) {
    pool_ins(1, 2);
    int v = pool_rem(0);
    assert(v != EMPTY);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thread1, NULL);
    pthread_create(&t2, NULL, thread2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
