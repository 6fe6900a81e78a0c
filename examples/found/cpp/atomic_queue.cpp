// libatomic-queue (Debian libatomic-queue-dev), two places.
#include <atomic_queue/atomic_queue.h>
#include <linspect.h>
using Queue = atomic_queue::AtomicQueue<unsigned, 2>;
LINSPECT_OBJECT(Queue *, q, new Queue)
LINSPECT_OP_RET(bool, push, q->try_push(v), unsigned v, 1, 2)
LINSPECT_OP_BODY(pop) { unsigned v; if (q->try_pop(v)) linspect_return_int(v); else linspect_return_nil(); }
