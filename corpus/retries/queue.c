/* The queue of Michael and Scott; nodes are never freed. */
#include <linspect.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

static struct node *node_of(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->next, 0);
    return node;
}

static void enqueue(int value) {
    struct node *node = node_of(value);
    for (;;) {
        struct node *last = tail, *next = last->next;
        if (last != tail)
            continue;
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        struct node *none = 0;
        if (atomic_compare_exchange_strong(&last->next, &none, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

static int dequeue(void) {
    for (;;) {
        struct node *first = head, *last = tail, *next = first->next;
        if (first != head)
            continue;
        if (!next)
            return 0;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        int value = next->value;
        if (atomic_compare_exchange_strong(&head, &first, next))
            return value;
    }
}

LINSPECT_SETUP { head = tail = node_of(0); }
LINSPECT_OP(enqueue, enqueue(v), int v, 1, 2)
LINSPECT_OP_RET(int, dequeue, dequeue())
