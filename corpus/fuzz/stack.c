// A right stack whose declarations are damaged at random.
#include <linspect.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};
struct stack {
    _Atomic(struct node *) top;
};

static struct stack *stack_new(void) {
    struct stack *s = malloc(sizeof *s);
    atomic_init(&s->top, NULL);
    return s;
}

static void stack_push(struct stack *s, int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = atomic_load(&s->top);
    while (!atomic_compare_exchange_weak(&s->top, &node->next, node))
        ;
}

static int stack_pop(struct stack *s) {
    struct node *top = atomic_load(&s->top);
    while (top && !atomic_compare_exchange_weak(&s->top, &top, top->next))
        ;
    return top ? top->value : -1;
}

LINSPECT_OBJECT(struct stack *, s, stack_new())
LINSPECT_OP(push, stack_push(s, v), int v, 1, 2)
LINSPECT_OP_RET(int, pop, stack_pop(s))
LINSPECT_OP_RET(bool, is_empty, atomic_load(&s->top) == NULL)
LINSPECT_SPEC(stack, .add = push, .remove = pop, .empty = -1)
