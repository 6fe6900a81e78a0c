// The unbounded k-FIFO queue of Kirsch, Lippautz and Payer: a list of segments of K slots. Enqueues go
// anywhere into the tail segment, dequeues take from anywhere in the head segment; a segment that the
// head leaves is marked deleted, so that a late enqueue notices. Slots carry versions against ABA;
// deleted segments are left to a collector.
#include "ubk_queue.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define K 2

typedef uint64_t word_t; // a value in the low half, its version in the high half

typedef struct segment {
    _Atomic(word_t) slots[K];
    atomic_bool deleted;
    _Atomic(struct segment *) next;
} segment_t;

struct queue {
    _Atomic(segment_t *) head;
    _Atomic(segment_t *) tail;
};

enum { FREE = 0 };

static int value_of(word_t word) { return (int)(uint32_t)word; }

static word_t successor(word_t old, int value) {
    return ((old >> 32) + 1) << 32 | (uint32_t)value;
}

static segment_t *new_segment(void) {
    segment_t *segment = malloc(sizeof *segment);
    for (int i = 0; i < K; i++)
        atomic_init(&segment->slots[i], FREE);
    atomic_init(&segment->deleted, false);
    atomic_init(&segment->next, NULL);
    return segment;
}

queue_t *queue_new(void) {
    queue_t *queue = malloc(sizeof *queue);
    segment_t *segment = new_segment();
    atomic_init(&queue->head, segment);
    atomic_init(&queue->tail, segment);
    return queue;
}

void queue_free(queue_t *queue) {
    for (segment_t *segment = queue->head; segment;) {
        segment_t *next = segment->next;
        free(segment);
        segment = next;
    }
    free(queue);
}

// A free slot of the segment, the first one first, or a full one, the last one first.
static bool find_slot(segment_t *segment, bool wanted_free, int *index, word_t *old) {
    for (int i = 0; i < K; i++) {
        *index = wanted_free ? i : K - 1 - i;
        *old = atomic_load(&segment->slots[*index]);
        if ((value_of(*old) == FREE) == wanted_free)
            return true;
    }
    return false;
}

static void advance_tail(queue_t *queue, segment_t *tail) {
    segment_t *next = atomic_load(&tail->next);
    if (!next) {
        segment_t *fresh = new_segment();
        if (atomic_compare_exchange_strong(&tail->next, &next, fresh))
            next = fresh;
        else
            free(fresh);
    }
    atomic_compare_exchange_strong(&queue->tail, &tail, next);
}

static void advance_head(queue_t *queue, segment_t *head) {
    atomic_compare_exchange_strong(&queue->head, &head, atomic_load(&head->next));
}

void queue_enq(queue_t *queue, int value) {
    for (;;) {
        segment_t *tail = atomic_load(&queue->tail);
        int slot;
        word_t old;
        bool found = find_slot(tail, true, &slot, &old);
        if (tail != atomic_load(&queue->tail))
            continue;
        if (!found) {
            advance_tail(queue, tail);
            continue;
        }
        word_t put = successor(old, value);
        if (!atomic_compare_exchange_strong(&tail->slots[slot], &old, put))
            continue;
        // A dequeue may have given the segment up without seeing the value: then take it back, unless
        // somebody has taken it after all.
        if (!atomic_load(&tail->deleted)
            || !atomic_compare_exchange_strong(&tail->slots[slot], &put, successor(put, FREE)))
            return;
    }
}

// Takes any value out of the segment; FREE if it has none.
static int take(segment_t *segment) {
    int slot;
    word_t old;
    while (find_slot(segment, false, &slot, &old))
        if (atomic_compare_exchange_strong(&segment->slots[slot], &old, successor(old, FREE)))
            return value_of(old);
    return FREE;
}

int queue_deq(queue_t *queue) {
    for (;;) {
        segment_t *head = atomic_load(&queue->head);
        int slot;
        word_t old;
        bool found = find_slot(head, false, &slot, &old);
        segment_t *tail = atomic_load(&queue->tail);
        if (head != atomic_load(&queue->head))
            continue;
        if (found) {
            // Keep enqueues out of the segment that values are taken from.
            if (head == tail)
                advance_tail(queue, tail);
            if (atomic_compare_exchange_strong(&head->slots[slot], &old, successor(old, FREE)))
                return value_of(old);
        } else if (head == tail) {
            if (tail == atomic_load(&queue->tail))
                return QUEUE_EMPTY;
        } else {
            // An enqueue that came late into this segment is older than everything behind it.
            atomic_store(&head->deleted, true);
            int value = take(head);
            if (value != FREE)
                return value;
            advance_head(queue, head);
        }
    }
}
