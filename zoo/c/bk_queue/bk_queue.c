// The bounded k-FIFO queue of Kirsch, Lippautz and Payer: a ring of segments of K slots. Enqueues go
// anywhere into the tail segment, dequeues take from anywhere in the head segment, and a full (empty)
// segment moves the tail (head) on. Slots, head and tail carry versions against ABA.
#include "bk_queue.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define K 2
#define SEGMENTS 32
#define SLOTS (K * SEGMENTS)

typedef uint64_t word_t; // a value in the low half, its version in the high half

struct queue {
    _Atomic(word_t) head; // the first slot of the head segment
    _Atomic(word_t) tail; // the first slot of the tail segment
    _Atomic(word_t) slots[SLOTS];
};

enum { FREE = 0 };

static int value_of(word_t word) { return (int)(uint32_t)word; }

static word_t successor(word_t old, int value) {
    return ((old >> 32) + 1) << 32 | (uint32_t)value;
}

queue_t *queue_new(void) {
    queue_t *queue = malloc(sizeof *queue);
    atomic_init(&queue->head, 0);
    atomic_init(&queue->tail, 0);
    for (int i = 0; i < SLOTS; i++)
        atomic_init(&queue->slots[i], FREE);
    return queue;
}

void queue_free(queue_t *queue) { free(queue); }

// A free slot of the segment, the first one first, or a full one, the last one first.
static bool find_slot(queue_t *queue, word_t segment, bool wanted_free, int *index, word_t *old) {
    for (int i = 0; i < K; i++) {
        *index = value_of(segment) + (wanted_free ? i : K - 1 - i);
        *old = atomic_load(&queue->slots[*index]);
        if ((value_of(*old) == FREE) == wanted_free)
            return true;
    }
    return false;
}

static void advance(_Atomic(word_t) *end, word_t old) {
    atomic_compare_exchange_strong(end, &old, successor(old, (value_of(old) + K) % SLOTS));
}

// Whether segment `s` lies in the ring strictly between head and tail, or is the tail.
static bool behind_head(int s, int head, int tail) {
    return head <= tail ? head < s && s <= tail : head < s || s <= tail;
}

// Whether a value just put into `slot` of the segment `tail_old` will be seen by dequeues.
static bool committed(queue_t *queue, word_t tail_old, int slot, word_t put) {
    if (atomic_load(&queue->slots[slot]) != put)
        return true; // taken already
    word_t head = atomic_load(&queue->head);
    word_t tail = atomic_load(&queue->tail);
    if (behind_head(value_of(tail_old), value_of(head), value_of(tail)))
        return true;
    // A dequeue may be about to move the head away: hold it, or take the value back.
    if (value_of(tail_old) == value_of(head)
        && atomic_compare_exchange_strong(&queue->head, &head, successor(head, value_of(head))))
        return true;
    return !atomic_compare_exchange_strong(&queue->slots[slot], &put, successor(put, FREE));
}

bool queue_enq(queue_t *queue, int value) {
    for (;;) {
        word_t tail = atomic_load(&queue->tail);
        word_t head = atomic_load(&queue->head);
        int slot;
        word_t old;
        bool found = find_slot(queue, tail, true, &slot, &old);
        if (tail != atomic_load(&queue->tail))
            continue;
        if (found) {
            word_t put = successor(old, value);
            if (atomic_compare_exchange_strong(&queue->slots[slot], &old, put)
                && committed(queue, tail, slot, put))
                return true;
        } else if ((value_of(tail) + K) % SLOTS == value_of(head)) {
            // The ring is full unless the head segment has become empty.
            if (find_slot(queue, head, false, &slot, &old)) {
                if (head == atomic_load(&queue->head))
                    return false;
            } else {
                advance(&queue->head, head);
            }
        } else {
            advance(&queue->tail, tail);
        }
    }
}

int queue_deq(queue_t *queue) {
    for (;;) {
        word_t head = atomic_load(&queue->head);
        int slot;
        word_t old;
        bool found = find_slot(queue, head, false, &slot, &old);
        word_t tail = atomic_load(&queue->tail);
        if (head != atomic_load(&queue->head))
            continue;
        if (found) {
            // Keep enqueues out of the segment that values are taken from.
            if (value_of(head) == value_of(tail))
                advance(&queue->tail, tail);
            if (atomic_compare_exchange_strong(&queue->slots[slot], &old, successor(old, FREE)))
                return value_of(old);
        } else if (value_of(head) == value_of(tail)) {
            if (tail == atomic_load(&queue->tail))
                return QUEUE_EMPTY;
        } else {
            advance(&queue->head, head);
        }
    }
}
