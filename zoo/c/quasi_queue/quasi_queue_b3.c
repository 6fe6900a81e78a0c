// A segmented queue in the manner of Afek, Korland and Yanovsky: a list of segments of K + 1 cells.
// Enqueues fill any free cell of the last segment, dequeues empty any full cell of the first: values
// leave in the order of their segments, in any order inside one. A cell goes from FREE to a value to
// TAKEN and never back. Used-up segments are left to a collector.
#include "quasi_queue.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define K 2
#define CELLS (K + 1)

enum { FREE = 0, TAKEN = -2 };

typedef struct segment {
    atomic_int cells[CELLS];
    _Atomic(struct segment *) next;
} segment_t;

struct queue {
    _Atomic(segment_t *) head;
    _Atomic(segment_t *) tail;
    atomic_int size; // how many values there are
};

static segment_t *new_segment(void) {
    segment_t *segment = malloc(sizeof *segment);
    for (int i = 0; i < CELLS; i++)
        atomic_init(&segment->cells[i], FREE);
    atomic_init(&segment->next, NULL);
    return segment;
}

queue_t *queue_new(void) {
    queue_t *queue = malloc(sizeof *queue);
    segment_t *segment = new_segment();
    atomic_init(&queue->head, segment);
    atomic_init(&queue->tail, segment);
    atomic_init(&queue->size, 0);
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

void queue_enq(queue_t *queue, int value) {
    for (;;) {
        segment_t *segment = atomic_load(&queue->tail);
        for (int i = 0; i < CELLS; i++) {
            int cell = FREE;
            if (atomic_compare_exchange_strong(&segment->cells[i], &cell, value)) {
                atomic_fetch_add(&queue->size, 1);
                return;
            }
        }
        segment_t *next = atomic_load(&segment->next);
        if (!next) {
            segment_t *fresh = new_segment();
            if (atomic_compare_exchange_strong(&segment->next, &next, fresh))
                next = fresh;
            else
                free(fresh);
        }
        atomic_compare_exchange_strong(&queue->tail, &segment, next);
    }
}

// Takes a value out of the segment, last cell first, or says FREE; notes the cells as it saw them.
static int take(segment_t *segment, int seen[CELLS]) {
    for (int i = CELLS - 1; i >= 0; i--) {
        seen[i] = atomic_load(&segment->cells[i]);
        int cell = seen[i];
        if (cell > 0 && atomic_compare_exchange_strong(&segment->cells[i], &cell, TAKEN))
            return cell;
        seen[i] = cell;
    }
    return FREE;
}

int queue_deq(queue_t *queue) {
    if (atomic_fetch_sub(&queue->size, 1) <= 0) {
        atomic_fetch_add(&queue->size, 1);
        return QUEUE_EMPTY;
    }
    // One value at least is there for us.
    for (;;) {
        segment_t *segment = atomic_load(&queue->head);
        int seen[CELLS];
        int value = take(segment, seen);
        if (value != FREE)
            return value;
        bool used_up = true;
        for (int i = 0; i < CELLS; i++)
            used_up = used_up && seen[i] == TAKEN;
        segment_t *next = atomic_load(&segment->next);
        if (used_up && next)
            atomic_compare_exchange_strong(&queue->head, &segment, next);
    }
}
