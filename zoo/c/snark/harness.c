#include <linspect.h>

#include "snark.h"
#include "dcas.h"

bool dcas(word_t *a, word_t *b, void *old_a, void *old_b, void *new_a, void *new_b) {
    linspect_atomic_begin();
    bool same = *a == old_a && *b == old_b;
    if (same) {
        *a = new_a;
        *b = new_b;
    }
    linspect_atomic_end();
    return same;
}

LINSPECT_OBJECT(deque_t *, deque, deque_new())
LINSPECT_OP(push_left, deque_push_left(deque, value), int value, 1, 2, 3)
LINSPECT_OP(push_right, deque_push_right(deque, value), int value, 1, 2, 3)
LINSPECT_OP_RET(int, pop_left, deque_pop_left(deque))
LINSPECT_OP_RET(int, pop_right, deque_pop_right(deque))
LINSPECT_SPEC(deque, .empty = -1)
