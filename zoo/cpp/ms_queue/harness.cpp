#include <linspect.h>

#include "ms_queue.hpp"

LINSPECT_OBJECT(MsQueue *, queue, new MsQueue)
LINSPECT_OP(enqueue, queue->enqueue(value), int value, 1, 2, 3)
LINSPECT_OP_BODY(dequeue) {
    if (auto value = queue->dequeue())
        linspect_return_int(*value);
    else
        linspect_return_nil();
}
LINSPECT_SPEC(queue)
