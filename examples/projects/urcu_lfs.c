// Userspace RCU's lock-free stack; those who pop take its lock. Push and pop are compiled in liburcu-common.a.
#include <linspect.h>
#include <urcu/lfstack.h>
#include <stdlib.h>

struct item { struct cds_lfs_node node; int value; };
static struct cds_lfs_stack *make(void) {
    static struct cds_lfs_stack stack;
    cds_lfs_init(&stack);
    return &stack;
}
static void put(struct cds_lfs_stack *stack, int value) {
    struct item *item = malloc(sizeof *item);
    item->value = value;
    cds_lfs_node_init(&item->node);
    cds_lfs_push(stack, &item->node);
}
static int take(struct cds_lfs_stack *stack) {
    struct cds_lfs_node *node = cds_lfs_pop_blocking(stack);
    if (!node) return -1;
    int value = ((struct item *)node)->value;
    free(node);
    return value;
}

LINSPECT_OBJECT(struct cds_lfs_stack *, stack, make())
LINSPECT_OP(push, put(stack, v), int v, 1, 2)
LINSPECT_OP_RET(int, pop, take(stack))
LINSPECT_SPEC(stack, .empty = -1)
