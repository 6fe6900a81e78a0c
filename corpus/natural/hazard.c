// verdict: holds
#include <linspect.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static _Atomic(struct node *) top; 
#define N 3
static _Atomic(struct node *) hp[N]; static atomic_int used[N];
static struct node *retired; static atomic_flag rl = ATOMIC_FLAG_INIT;
static int acquire_slot(void) { for (;;) for (int i = 0; i < N; i++) { int z = 0; if (atomic_compare_exchange_strong(&used[i], &z, 1)) return i; } }
static void push(int v) { struct node *n = malloc(sizeof *n); n->v = v; n->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &n->next, n)) {} }
static int pop(void) {
    int s = acquire_slot(); struct node *h; int v = -1;
    for (;;) {
        h = atomic_load(&top);
        if (!h) break;
        atomic_store(&hp[s], h);
        if (atomic_load(&top) != h) continue;
        struct node *nx = h->next;
        if (atomic_compare_exchange_strong(&top, &h, nx)) { v = h->v; break; }
    }
    atomic_store(&hp[s], NULL); atomic_store(&used[s], 0);
    if (h) {
        int busy = 0; for (int i = 0; i < N; i++) if (atomic_load(&hp[i]) == h) busy = 1;
        if (!busy) free(h);
    }
    return v;
}
LINSPECT_SETUP { top = NULL; for (int i = 0; i < N; i++) { hp[i] = NULL; used[i] = 0; } }
LINSPECT_OP(push, push(v), int v, 1, 2)
LINSPECT_OP_RET(int, pop, pop())
LINSPECT_SPEC(stack, .empty = -1)
