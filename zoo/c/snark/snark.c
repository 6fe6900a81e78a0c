// The Snark deque of Detlefs, Flood, Garthwaite, Martin, Shavit and Steele: a doubly linked list
// with a hat at either end, moved by double compare-and-swap. A node that left the deque points to
// itself on the side it left from, which is also how a hat says "nothing here".
// Nodes that were popped are left to a collector.
#include "snark.h"

#include "dcas.h"

#include <stdlib.h>

typedef struct node {
    word_t L;
    word_t R;
    int V;
} node_t;

struct deque {
    word_t LeftHat;
    word_t RightHat;
    node_t Dummy;
};

static node_t *get(word_t *word) { return atomic_load(word); }

deque_t *deque_new(void) {
    deque_t *deque = malloc(sizeof *deque);
    atomic_init(&deque->Dummy.L, &deque->Dummy);
    atomic_init(&deque->Dummy.R, &deque->Dummy);
    deque->Dummy.V = DEQUE_EMPTY;
    atomic_init(&deque->LeftHat, &deque->Dummy);
    atomic_init(&deque->RightHat, &deque->Dummy);
    return deque;
}

static node_t *new_node(deque_t *deque, int value) {
    node_t *node = malloc(sizeof *node);
    atomic_init(&node->L, &deque->Dummy);
    atomic_init(&node->R, &deque->Dummy);
    node->V = value;
    return node;
}

void deque_push_right(deque_t *deque, int value) {
    node_t *node = new_node(deque, value);
    for (;;) {
        node_t *rh = get(&deque->RightHat);
        node_t *rhR = get(&rh->R);
        if (rhR == rh) {
            atomic_store(&node->L, &deque->Dummy);
            node_t *lh = get(&deque->LeftHat);
            if (dcas(&deque->RightHat, &deque->LeftHat, rh, lh, node, node))
                return;
        } else {
            atomic_store(&node->L, rh);
            if (dcas(&deque->RightHat, &rh->R, rh, rhR, node, node))
                return;
        }
    }
}

void deque_push_left(deque_t *deque, int value) {
    node_t *node = new_node(deque, value);
    for (;;) {
        node_t *lh = get(&deque->LeftHat);
        node_t *lhL = get(&lh->L);
        if (lhL == lh) {
            atomic_store(&node->R, &deque->Dummy);
            node_t *rh = get(&deque->RightHat);
            if (dcas(&deque->LeftHat, &deque->RightHat, lh, rh, node, node))
                return;
        } else {
            atomic_store(&node->R, lh);
            if (dcas(&deque->LeftHat, &lh->L, lh, lhL, node, node))
                return;
        }
    }
}

int deque_pop_right(deque_t *deque) {
    for (;;) {
        node_t *rh = get(&deque->RightHat);
        node_t *lh = get(&deque->LeftHat);
        if (get(&rh->R) == rh)
            return DEQUE_EMPTY;
        if (rh == lh) {
            if (dcas(&deque->RightHat, &deque->LeftHat, rh, lh, &deque->Dummy, &deque->Dummy))
                return rh->V;
        } else {
            node_t *rhL = get(&rh->L);
            if (dcas(&deque->RightHat, &rh->L, rh, rhL, rhL, rh)) {
                int value = rh->V;
                atomic_store(&rh->R, &deque->Dummy);
                return value;
            }
        }
    }
}

int deque_pop_left(deque_t *deque) {
    for (;;) {
        node_t *lh = get(&deque->LeftHat);
        node_t *rh = get(&deque->RightHat);
        if (get(&lh->L) == lh)
            return DEQUE_EMPTY;
        if (lh == rh) {
            if (dcas(&deque->LeftHat, &deque->RightHat, lh, rh, &deque->Dummy, &deque->Dummy))
                return lh->V;
        } else {
            node_t *lhR = get(&lh->R);
            if (dcas(&deque->LeftHat, &lh->R, lh, lhR, lhR, lh)) {
                int value = lh->V;
                atomic_store(&lh->L, &deque->Dummy);
                return value;
            }
        }
    }
}
