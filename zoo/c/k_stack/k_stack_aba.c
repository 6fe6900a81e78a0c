// The k-stack of Henzinger, Kirsch, Payer, Sezgin and Sokolova: a list of segments of K slots, the
// newest on top. Pushes and pops go anywhere into the top segment; a pop that finds it empty removes it.
// Slots carry versions against ABA.
// Removed segments are left to a collector.
#include "k_stack.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define K 2

typedef uint64_t word_t; // a value in the low half, its version in the high half

typedef struct segment {
    _Atomic(word_t) slots[K];
    atomic_int removers; // how many pops are trying to remove it
    struct segment *next;
} segment_t;

struct k_stack {
    _Atomic(segment_t *) top;
};

enum { FREE = 0 };

static int value_of(word_t word) { return (int)(uint32_t)word; }

static word_t successor(word_t old, int value) {
    return ((old >> 32) + 1) << 32 | (uint32_t)value;
}

static segment_t *new_segment(segment_t *next) {
    segment_t *segment = malloc(sizeof *segment);
    for (int i = 0; i < K; i++)
        atomic_init(&segment->slots[i], FREE);
    atomic_init(&segment->removers, 0);
    segment->next = next;
    return segment;
}

k_stack_t *stack_new(void) {
    k_stack_t *stack = malloc(sizeof *stack);
    atomic_init(&stack->top, new_segment(NULL));
    return stack;
}

void stack_free(k_stack_t *stack) {
    for (segment_t *segment = stack->top; segment;) {
        segment_t *next = segment->next;
        free(segment);
        segment = next;
    }
    free(stack);
}

// A slot of the segment that is free or is not.
static bool find_slot(segment_t *segment, bool wanted_free, int *index, word_t *old) {
    for (*index = 0; *index < K; ++*index) {
        *old = atomic_load(&segment->slots[*index]);
        if ((value_of(*old) == FREE) == wanted_free)
            return true;
    }
    return false;
}

// Whether all slots were free at one moment: two looks at them, with versions, agree.
static bool is_empty(segment_t *segment) {
    word_t seen[K], again[K];
    for (int i = 0; i < K; i++)
        if (value_of(seen[i] = atomic_load(&segment->slots[i])) != FREE)
            return false;
    for (int i = 0; i < K; i++)
        again[i] = atomic_load(&segment->slots[i]);
    return memcmp(seen, again, sizeof seen) == 0;
}

static void remove_segment(k_stack_t *stack, segment_t *segment) {
    atomic_fetch_add(&segment->removers, 1);
    segment_t *top = segment;
    if (is_empty(segment))
        atomic_compare_exchange_strong(&stack->top, &top, segment->next);
    atomic_fetch_sub(&segment->removers, 1);
}

// Whether a value just put into the top segment stays there.
static bool committed(k_stack_t *stack, segment_t *segment, int slot, word_t put) {
    if (atomic_load(&segment->slots[slot]) != put)
        return true; // popped already
    bool contested = atomic_load(&segment->removers) > 0;
    segment_t *now = atomic_load(&stack->top);
    if (now == segment) {
        // Somebody may be about to remove the segment without having seen the value: stop it.
        if (!contested || atomic_compare_exchange_strong(&stack->top, &now, segment))
            return true;
    }
    return !atomic_compare_exchange_strong(&segment->slots[slot], &put, successor(put, FREE));
}

void stack_push(k_stack_t *stack, int value) {
    for (;;) {
        segment_t *segment = atomic_load(&stack->top);
        int slot;
        word_t old;
        if (find_slot(segment, true, &slot, &old)) {
            word_t put = successor(old, value);
            if (segment == atomic_load(&stack->top)
                && atomic_compare_exchange_strong(&segment->slots[slot], &old, put)
                && committed(stack, segment, slot, put))
                return;
        } else {
            segment_t *fresh = new_segment(segment);
            if (!atomic_compare_exchange_strong(&stack->top, &segment, fresh))
                free(fresh);
        }
    }
}

int stack_pop(k_stack_t *stack) {
    for (;;) {
        segment_t *segment = atomic_load(&stack->top);
        int slot;
        word_t old;
        if (find_slot(segment, false, &slot, &old)) {
            if (segment == atomic_load(&stack->top)
                && atomic_compare_exchange_strong(&segment->slots[slot], &old, successor(old, FREE)))
                return value_of(old);
        } else if (segment->next) {
            remove_segment(stack, segment);
        } else if (is_empty(segment) && segment == atomic_load(&stack->top)) {
            return STACK_EMPTY;
        }
    }
}
