#include <linspect.h>

#include "sloppy_counter.h"

LINSPECT_OBJECT(counter_t *, counter, counter_new())
LINSPECT_OP(increment, counter_increment(counter))
LINSPECT_OP(decrement, counter_decrement(counter))
LINSPECT_OP_RET(int, get, counter_get(counter))
LINSPECT_SPEC(counter)
