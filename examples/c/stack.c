/* A built-in specification: a stack whose pop forgets that somebody else may pop at the same time.
 *
 *     linspect test examples/c/stack.c
 */
#include <linspect.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
    int value;
    struct node *next;
} node;

typedef struct {
    _Atomic(node *) top;
} stack;

static stack *stack_new(void) { return calloc(1, sizeof(stack)); }

static void push(stack *s, int value) {
    node *n = malloc(sizeof *n);
    n->value = value;
    n->next = atomic_load(&s->top);
    while (!atomic_compare_exchange_weak(&s->top, &n->next, n)) {
    }
}

static int pop(stack *s) {
    node *n = atomic_load(&s->top);
    if (!n)
        return -1;
    atomic_store(&s->top, n->next); /* should be a compare-exchange */
    return n->value;
}

LINSPECT_OBJECT(stack *, s, stack_new())
LINSPECT_OP(push, push(s, v), int v, 1, 2)
LINSPECT_OP_RET(int, pop, pop(s))
LINSPECT_SPEC(stack, .empty = -1)
