#include <linspect.h>

#include "index_stack.hpp"

LINSPECT_OBJECT(IndexStack *, stack, new IndexStack)
LINSPECT_OP(push, stack->push(index), int index, 1, 2, 3)
LINSPECT_OP_BODY(pop) {
    if (auto index = stack->pop())
        linspect_return_int(*index);
    else
        linspect_return_nil();
}
LINSPECT_SPEC(stack)
