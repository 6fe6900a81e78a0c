#include <linspect.h>

#include "k_stack.h"

LINSPECT_OBJECT(k_stack_t *, stack, stack_new())
LINSPECT_OP(push, stack_push(stack, value), int value, 1, 2, 3)
LINSPECT_OP_RET(int, pop, stack_pop(stack))
LINSPECT_SPEC(stack, .empty = -1)
