// verdict: holds
#include <linspect.h>
#include <stdatomic.h>
#include <stddef.h>
struct node { _Atomic(struct node *) next; atomic_int locked; };
static _Atomic(struct node *) tail; static int counter;
static _Thread_local struct node me;
static void lock(void) {
    atomic_store_explicit(&me.next, NULL, memory_order_relaxed);
    atomic_store_explicit(&me.locked, 1, memory_order_relaxed);
    struct node *p = atomic_exchange_explicit(&tail, &me, memory_order_acq_rel);
    if (p) { atomic_store_explicit(&p->next, &me, memory_order_release);
        while (atomic_load_explicit(&me.locked, memory_order_acquire)) {} }
}
static void unlock(void) {
    struct node *n = atomic_load_explicit(&me.next, memory_order_acquire);
    if (!n) { struct node *e = &me;
        if (atomic_compare_exchange_strong_explicit(&tail, &e, NULL, memory_order_release, memory_order_relaxed)) return;
        while (!(n = atomic_load_explicit(&me.next, memory_order_acquire))) {} }
    atomic_store_explicit(&n->locked, 0, memory_order_release);
}
static int inc(void) { lock(); int v = ++counter; unlock(); return v; }
LINSPECT_SETUP { tail = NULL; counter = 0; }
LINSPECT_OP_RET(int, inc, inc())
