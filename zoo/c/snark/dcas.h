#ifndef DCAS_H
#define DCAS_H

#include <stdatomic.h>
#include <stdbool.h>

typedef _Atomic(void *) word_t;

// If *a is `old_a` and *b is `old_b`, sets them to `new_a` and `new_b`, in one step, and says so. No common
// processor has this instruction: whoever uses the deque brings it along.
bool dcas(word_t *a, word_t *b, void *old_a, void *old_b, void *new_a, void *new_b);

#endif
