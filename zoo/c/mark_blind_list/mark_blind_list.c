// Lock-free sorted list after Harris, Michael, and Herlihy and Shavit's book: the lowest bit of a
// node's `next` says that the node is logically removed. Removed nodes are left to a collector.
#include "mark_blind_list.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct node {
    int key;
    _Atomic(uintptr_t) next;
} node_t;

struct list {
    node_t head;
    node_t tail;
};

static node_t *pointer(uintptr_t next) { return (node_t *)(next & ~(uintptr_t)1); }
static bool marked(uintptr_t next) { return next & 1; }
static uintptr_t link_to(node_t *node) { return (uintptr_t)node; }

list_t *list_new(void) {
    list_t *list = malloc(sizeof *list);
    list->head.key = INT_MIN;
    list->tail.key = INT_MAX;
    atomic_init(&list->head.next, link_to(&list->tail));
    atomic_init(&list->tail.next, 0);
    return list;
}

void list_free(list_t *list) {
    node_t *node = pointer(atomic_load(&list->head.next));
    while (node != &list->tail) {
        node_t *next = pointer(atomic_load(&node->next));
        free(node);
        node = next;
    }
    free(list);
}

// The first node with a key not below `key`, and the one before it.
static node_t *find(list_t *list, int key, node_t **before) {
    node_t *pred = &list->head;
    node_t *curr = pointer(atomic_load(&pred->next));
    while (curr->key < key) {
        pred = curr;
        curr = pointer(atomic_load(&curr->next));
    }
    *before = pred;
    return curr;
}

bool list_add(list_t *list, int key) {
    node_t *node = NULL;
    for (;;) {
        node_t *pred;
        node_t *curr = find(list, key, &pred);
        if (curr->key == key) {
            free(node);
            return false;
        }
        if (!node) {
            node = malloc(sizeof *node);
            node->key = key;
        }
        atomic_store(&node->next, link_to(curr));
        uintptr_t expected = link_to(curr);
        if (atomic_compare_exchange_strong(&pred->next, &expected, link_to(node)))
            return true;
    }
}

bool list_remove(list_t *list, int key) {
    for (;;) {
        node_t *pred;
        node_t *curr = find(list, key, &pred);
        if (curr->key != key)
            return false;
        uintptr_t succ = atomic_load(&curr->next);
        if (marked(succ))
            return false;
        if (!atomic_compare_exchange_strong(&curr->next, &succ, succ | 1))
            continue;
        uintptr_t expected = link_to(curr);
        atomic_compare_exchange_strong(&pred->next, &expected, succ);
        return true;
    }
}

bool list_contains(list_t *list, int key) {
    node_t *pred;
    return find(list, key, &pred)->key == key;
}
