// exit 1: NOT LINEARIZABLE
// options: --operations 4 --threads 2
// A stack whose nodes come from a list of its own: a node that returns looks as if it had never gone.
#include <linspect.h>
#include <stdatomic.h>

struct node { _Atomic(struct node *) next; int value; };
static struct node nodes[4];
static _Atomic(struct node *) top, spare;

static struct node *take(_Atomic(struct node *) *list) {
    struct node *old = atomic_load(list);
    while (old && !atomic_compare_exchange_strong(list, &old, atomic_load(&old->next)))
        ;
    return old;
}

static void give(_Atomic(struct node *) *list, struct node *n) {
    struct node *old = atomic_load(list);
    do atomic_store(&n->next, old);
    while (!atomic_compare_exchange_strong(list, &old, n));
}

static void push(int value) {
    struct node *n = take(&spare);
    if (!n) return;
    n->value = value;
    give(&top, n);
}

static int pop(void) {
    struct node *n = take(&top);
    if (!n) return -1;
    int value = n->value;
    give(&spare, n);
    return value;
}

LINSPECT_SETUP {
    top = 0;
    spare = 0;
    for (int i = 0; i < 4; i++) give(&spare, &nodes[i]);
}
LINSPECT_OP(push, push(v), int v, 1, 2)
LINSPECT_OP_RET(int, pop, pop())
LINSPECT_SPEC(stack, .empty = -1)
