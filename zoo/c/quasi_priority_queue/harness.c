#include <linspect.h>

#include "quasi_priority_queue.h"

LINSPECT_OBJECT(priority_queue_t *, queue, priority_queue_new())
LINSPECT_OP(enq, priority_queue_enq(queue, priority), int priority, 1, 2, 3)
LINSPECT_OP_RET(int, deq, priority_queue_deq_min(queue))
LINSPECT_SPEC(priority_queue, .empty = -1)
