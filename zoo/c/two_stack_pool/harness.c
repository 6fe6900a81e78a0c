#include <linspect.h>

#include "two_stack_pool.h"

LINSPECT_OBJECT(pool_t *, pool, pool_new())
LINSPECT_OP(put, pool_put(pool, value), int value, 1, 2, 3)
LINSPECT_OP_RET(int, take, pool_take(pool))
LINSPECT_SPEC(pool, .empty = -1)
