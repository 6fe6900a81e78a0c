#include <linspect.h>

#include "optimistic_queue.h"

LINSPECT_OBJECT(queue_t *, queue, queue_new())
LINSPECT_OP(offer, queue_offer(queue, value), int value, 1, 2, 3)
LINSPECT_OP_RET(int, poll, queue_poll(queue))
LINSPECT_SPEC(queue, .empty = -1)
