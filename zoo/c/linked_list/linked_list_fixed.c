// Sorted linked set. Every operation is locked.
// Removed nodes are left to a collector.
#include "linked_list.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
    int val;
    _Atomic(struct node *) next;
} node_t;

struct list {
    pthread_mutex_t lock;
    node_t *head;
    node_t *tail;
};

static node_t *new_node(int val, node_t *next) {
    node_t *node = malloc(sizeof *node);
    node->val = val;
    atomic_init(&node->next, next);
    return node;
}

list_t *list_new(void) {
    list_t *list = malloc(sizeof *list);
    pthread_mutex_init(&list->lock, NULL);
    list->tail = new_node(INT_MAX, NULL);
    list->head = new_node(INT_MIN, list->tail);
    return list;
}

void list_free(list_t *list) {
    for (node_t *node = list->head; node;) {
        node_t *next = node->next;
        free(node);
        node = next;
    }
    pthread_mutex_destroy(&list->lock);
    free(list);
}

bool list_add(list_t *list, int val) {
    pthread_mutex_lock(&list->lock);
    node_t *pred = list->head;
    node_t *curr = pred->next;
    while (curr->val < val) {
        pred = curr;
        curr = curr->next;
    }
    bool absent = curr->val != val;
    if (absent)
        pred->next = new_node(val, curr);
    pthread_mutex_unlock(&list->lock);
    return absent;
}

bool list_remove(list_t *list, int val) {
    pthread_mutex_lock(&list->lock);
    node_t *pred = list->head;
    node_t *curr = pred->next;
    while (curr->val < val) {
        pred = curr;
        curr = curr->next;
    }
    bool found = curr->val == val;
    if (found)
        pred->next = curr->next;
    pthread_mutex_unlock(&list->lock);
    return found;
}

int list_size(list_t *list) {
    pthread_mutex_lock(&list->lock);
    int size = 0;
    for (node_t *node = list->head; node->next != list->tail; node = node->next)
        size++;
    pthread_mutex_unlock(&list->lock);
    return size;
}
