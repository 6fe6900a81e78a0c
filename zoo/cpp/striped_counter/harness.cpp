#include <linspect.h>

#include "striped_counter.hpp"

LINSPECT_OBJECT(StripedCounter *, counter, new StripedCounter)
LINSPECT_OP(increment, counter->increment())
LINSPECT_OP(decrement, counter->decrement())
LINSPECT_OP_RET(int, get, counter->get())
LINSPECT_SPEC(counter)
