#include <linspect.h>

#include "two_lock_queue.h"

LINSPECT_OBJECT(queue_t *, queue, queue_new())
LINSPECT_OP(enqueue, queue_enqueue(queue, value), int value, 1, 2, 3)
LINSPECT_OP_RET(int, dequeue, queue_dequeue(queue))
LINSPECT_SPEC(queue, .empty = -1)
