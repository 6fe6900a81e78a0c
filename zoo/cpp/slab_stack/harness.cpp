#include <linspect.h>

#include "slab_stack.hpp"

LINSPECT_OBJECT(SlabStack *, stack, new SlabStack)
LINSPECT_OP_RET(bool, push, stack->push(value), int value, 1, 2, 3)
LINSPECT_OP_BODY(pop) {
    if (auto value = stack->pop())
        linspect_return_int(*value);
    else
        linspect_return_nil();
}
LINSPECT_SPEC(stack)
