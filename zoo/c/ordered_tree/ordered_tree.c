// A binary search tree with logical ordering after Drachsler, Vechev and Yahav: beside the tree, the nodes
// form a doubly linked list sorted by key. The list says what is in the map; the tree is only a quick way
// into it, so that a look-up misled by a change of the tree finds its way along the list. A change locks
// the interval of the list it works in (`succ_lock` of the node before), then the tree. No rebalancing.
// Removed nodes are left to a collector.
#include "ordered_tree.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
    int key;
    int value;
    atomic_bool valid; // false once removed
    _Atomic(struct node *) pred, succ;
    _Atomic(struct node *) left, right;
    pthread_mutex_t succ_lock; // guards the interval from this node to its successor
} node_t;

struct map {
    pthread_mutex_t tree_lock;
    node_t *first, *last; // sentinels; the tree hangs to the left of `last`
};

static node_t *new_node(int key, int value) {
    node_t *node = calloc(1, sizeof *node);
    node->key = key;
    node->value = value;
    node->valid = true;
    pthread_mutex_init(&node->succ_lock, NULL);
    return node;
}

map_t *map_new(void) {
    map_t *map = malloc(sizeof *map);
    pthread_mutex_init(&map->tree_lock, NULL);
    map->first = new_node(INT_MIN, MAP_ABSENT);
    map->last = new_node(INT_MAX, MAP_ABSENT);
    map->first->succ = map->last;
    map->last->pred = map->first;
    map->last->left = map->first;
    return map;
}

// The node where a walk down the tree ends: near `key`.
static node_t *descend(map_t *map, int key) {
    node_t *node = map->last;
    for (;;) {
        if (node->key == key)
            return node;
        node_t *child = key < node->key ? node->left : node->right;
        if (!child)
            return node;
        node = child;
    }
}

// The last node of the list with a key below `key`, as far as can be seen without locks.
static node_t *node_before(map_t *map, int key) {
    node_t *node = descend(map, key);
    while (node->key >= key)
        node = node->pred;
    return node;
}

// Whether `key` belongs into the interval after `pred`.
static bool in_interval(node_t *pred, int key) {
    return pred->valid && pred->succ->key >= key;
}

// Where the tree points to `node`. Needs the tree lock.
static _Atomic(node_t *) *link_to(map_t *map, node_t *node) {
    _Atomic(node_t *) *link = &map->last->left;
    while (*link != node)
        link = node->key < (*link)->key ? &(*link)->left : &(*link)->right;
    return link;
}

// One of two neighbours in the list has no child on the side of the other: a new node goes there.
static void insert_into_tree(node_t *pred, node_t *node, node_t *succ) {
    if (!pred->right)
        pred->right = node;
    else
        succ->left = node;
}

static void remove_from_tree(map_t *map, node_t *node) {
    _Atomic(node_t *) *link = link_to(map, node);
    if (!node->left) {
        *link = node->right;
    } else if (!node->right) {
        *link = node->left;
    } else {
        // The smallest node on the right takes its place.
        node_t *heir = node->right;
        while (heir->left)
            heir = heir->left;
        *link_to(map, heir) = heir->right;
        heir->left = node->left;
        heir->right = node->right;
        *link = heir;
    }
}

bool map_put(map_t *map, int key, int value) {
    for (;;) {
        node_t *pred = node_before(map, key);
        pthread_mutex_lock(&pred->succ_lock);
        if (!in_interval(pred, key)) {
            pthread_mutex_unlock(&pred->succ_lock);
            continue;
        }
        node_t *succ = pred->succ;
        bool absent = succ->key != key;
        if (absent) {
            node_t *node = new_node(key, value);
            node->pred = pred;
            node->succ = succ;
            pthread_mutex_lock(&map->tree_lock);
            succ->pred = node;
            pred->succ = node;
            insert_into_tree(pred, node, succ);
            pthread_mutex_unlock(&map->tree_lock);
        }
        pthread_mutex_unlock(&pred->succ_lock);
        return absent;
    }
}

bool map_remove(map_t *map, int key) {
    for (;;) {
        node_t *pred = node_before(map, key);
        pthread_mutex_lock(&pred->succ_lock);
        if (!in_interval(pred, key)) {
            pthread_mutex_unlock(&pred->succ_lock);
            continue;
        }
        node_t *node = pred->succ;
        bool present = node->key == key;
        if (present) {
            pthread_mutex_lock(&node->succ_lock);
            pthread_mutex_lock(&map->tree_lock);
            node->valid = false;
            node->succ->pred = pred;
            pred->succ = node->succ;
            remove_from_tree(map, node);
            pthread_mutex_unlock(&map->tree_lock);
            pthread_mutex_unlock(&node->succ_lock);
        }
        pthread_mutex_unlock(&pred->succ_lock);
        return present;
    }
}

int map_get(map_t *map, int key) {
    node_t *node = descend(map, key);
    while (node->key > key)
        node = node->pred;
    while (node->key < key)
        node = node->succ;
    return node->key == key && node->valid ? node->value : MAP_ABSENT;
}
