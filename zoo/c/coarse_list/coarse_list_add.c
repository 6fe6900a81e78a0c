// Sorted linked set under one read-write lock; add looks for the place before taking it.
#define _POSIX_C_SOURCE 200809L // read-write locks
#include "coarse_list.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
    int key;
    _Atomic(struct node *) next;
} node_t;

struct list {
    pthread_rwlock_t lock;
    node_t *head;
};

static node_t *new_node(int key, node_t *next) {
    node_t *node = malloc(sizeof *node);
    node->key = key;
    atomic_init(&node->next, next);
    return node;
}

list_t *list_new(void) {
    list_t *list = malloc(sizeof *list);
    pthread_rwlock_init(&list->lock, NULL);
    list->head = new_node(INT_MIN, new_node(INT_MAX, NULL));
    return list;
}

void list_free(list_t *list) {
    for (node_t *node = list->head; node;) {
        node_t *next = node->next;
        free(node);
        node = next;
    }
    pthread_rwlock_destroy(&list->lock);
    free(list);
}

bool list_add(list_t *list, int key) {
    node_t *node = new_node(key, NULL);
    node_t *pred = list->head;
    node_t *curr = pred->next;
    while (curr->key < key) {
        pred = curr;
        curr = curr->next;
    }
    pthread_rwlock_wrlock(&list->lock);
    bool absent = curr->key != key;
    if (absent) {
        node->next = curr;
        pred->next = node;
    }
    pthread_rwlock_unlock(&list->lock);
    if (!absent)
        free(node);
    return absent;
}

bool list_remove(list_t *list, int key) {
    pthread_rwlock_wrlock(&list->lock);
    node_t *pred = list->head;
    node_t *curr = pred->next;
    while (curr->key < key) {
        pred = curr;
        curr = curr->next;
    }
    bool present = curr->key == key;
    if (present)
        pred->next = curr->next;
    pthread_rwlock_unlock(&list->lock);
    return present;
}

bool list_contains(list_t *list, int key) {
    pthread_rwlock_rdlock(&list->lock);
    node_t *curr = list->head->next;
    while (curr->key < key)
        curr = curr->next;
    bool present = curr->key == key;
    pthread_rwlock_unlock(&list->lock);
    return present;
}
