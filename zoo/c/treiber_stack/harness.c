#include <linspect.h>

#include "treiber_stack.h"

LINSPECT_OBJECT(treiber_stack_t *, stack, stack_new())
LINSPECT_OP(push, stack_push(stack, value), int value, 1, 2, 3)
LINSPECT_OP_RET(int, pop, stack_pop(stack))
LINSPECT_SPEC(stack, .empty = -1)
