// Sorted linked set with a lock per node and wait-free contains, in the manner of the lazy list of Heller
// et al.: find without locks, lock the two nodes, validate, change. add validates before it locks.
// Removed nodes are left to a collector.
#include "optimistic_list.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
    int key;
    atomic_bool removed;
    _Atomic(struct node *) next;
    pthread_mutex_t lock;
} node_t;

struct list {
    node_t *head;
};

static node_t *new_node(int key, node_t *next) {
    node_t *node = malloc(sizeof *node);
    node->key = key;
    atomic_init(&node->removed, false);
    atomic_init(&node->next, next);
    pthread_mutex_init(&node->lock, NULL);
    return node;
}

list_t *list_new(void) {
    list_t *list = malloc(sizeof *list);
    list->head = new_node(INT_MIN, new_node(INT_MAX, NULL));
    return list;
}

void list_free(list_t *list) {
    for (node_t *node = list->head; node;) {
        node_t *next = node->next;
        pthread_mutex_destroy(&node->lock);
        free(node);
        node = next;
    }
    free(list);
}

static void lock_both(node_t *pred, node_t *curr) {
    pthread_mutex_lock(&pred->lock);
    pthread_mutex_lock(&curr->lock);
}

static void unlock_both(node_t *pred, node_t *curr) {
    pthread_mutex_unlock(&curr->lock);
    pthread_mutex_unlock(&pred->lock);
}

static bool valid(node_t *pred, node_t *curr) {
    return !pred->removed && !curr->removed && pred->next == curr;
}

bool list_add(list_t *list, int key) {
    for (;;) {
        node_t *pred = list->head;
        node_t *curr = pred->next;
        while (curr->key < key) {
            pred = curr;
            curr = curr->next;
        }
        if (!valid(pred, curr))
            continue;
        lock_both(pred, curr);
        bool absent = curr->key != key;
        if (absent)
            pred->next = new_node(key, curr);
        unlock_both(pred, curr);
        return absent;
    }
}

bool list_remove(list_t *list, int key) {
    for (;;) {
        node_t *pred = list->head;
        node_t *curr = pred->next;
        while (curr->key < key) {
            pred = curr;
            curr = curr->next;
        }
        lock_both(pred, curr);
        if (!valid(pred, curr)) {
            unlock_both(pred, curr);
            continue;
        }
        bool present = curr->key == key;
        if (present) {
            curr->removed = true;
            pred->next = curr->next;
        }
        unlock_both(pred, curr);
        return present;
    }
}

bool list_contains(list_t *list, int key) {
    node_t *curr = list->head->next;
    while (curr->key < key)
        curr = curr->next;
    return curr->key == key && !curr->removed;
}
