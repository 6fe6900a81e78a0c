// Michael and Scott's queue with one compare-and-swap dropped: an enqueue links its node with a plain store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
    int value;
    _Atomic(struct node *) next;
} node_t;

static _Atomic(node_t *) head, tail;

static node_t *new_node(int value) {
    node_t *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->next, NULL);
    return node;
}

static void enqueue(int value) {
    node_t *node = new_node(value);
    for (;;) {
        node_t *last = atomic_load(&tail);
        node_t *next = atomic_load(&last->next);
        if (!next) {
            atomic_store(&last->next, node);
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
        atomic_compare_exchange_strong(&tail, &last, next);
    }
}

static int dequeue(void) {
    for (;;) {
        node_t *first = atomic_load(&head);
        node_t *next = atomic_load(&first->next);
        if (!next)
            return 0;
        int value = next->value;
        if (atomic_compare_exchange_strong(&head, &first, next))
            return value;
    }
}

static void *put(void *value) {
    enqueue(*(int *)value);
    return NULL;
}

int main(void) {
    node_t *dummy = new_node(0);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
    int one = 1, two = 2;
    pthread_t t1, t2;
    pthread_create(&t1, NULL, put, &one);
    pthread_create(&t2, NULL, put, &two);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    int sum = dequeue();
    sum += dequeue();
    assert(sum == 3);
    return 0;
}
