#include <linspect.h>

#include "iqueue.h"

LINSPECT_OBJECT(queue_t *, queue, queue_new())
LINSPECT_OP(enq, queue_enq(queue, value), int value, 1, 2, 3)
LINSPECT_OP_RET(int, deq, queue_deq(queue))
LINSPECT_SPEC(queue, .empty = -1)
