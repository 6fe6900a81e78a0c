// Two stacks share the load: a thread works with the one that its turn of arrival gives it.
#include "two_stack_pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
    int value;
    struct node *next;
} node_t;

struct pool {
    pthread_mutex_t lock[2];
    node_t *top[2];
};

// Which stack this thread prefers.
static int preferred(void) {
    static atomic_int arrivals;
    static _Thread_local int arrival = -1;
    if (arrival < 0)
        arrival = atomic_fetch_add(&arrivals, 1);
    return arrival % 2;
}

pool_t *pool_new(void) {
    pool_t *pool = calloc(1, sizeof *pool);
    pthread_mutex_init(&pool->lock[0], NULL);
    pthread_mutex_init(&pool->lock[1], NULL);
    return pool;
}

void pool_free(pool_t *pool) {
    for (int i = 0; i < 2; i++) {
        while (pool->top[i]) {
            node_t *node = pool->top[i];
            pool->top[i] = node->next;
            free(node);
        }
        pthread_mutex_destroy(&pool->lock[i]);
    }
    free(pool);
}

void pool_put(pool_t *pool, int value) {
    node_t *node = malloc(sizeof *node);
    node->value = value;
    int i = preferred();
    pthread_mutex_lock(&pool->lock[i]);
    node->next = pool->top[i];
    pool->top[i] = node;
    pthread_mutex_unlock(&pool->lock[i]);
}

int pool_take(pool_t *pool) {
    int i = preferred();
    pthread_mutex_lock(&pool->lock[i]);
    node_t *node = pool->top[i];
    if (node)
        pool->top[i] = node->next;
    pthread_mutex_unlock(&pool->lock[i]);
    int value = node ? node->value : POOL_EMPTY;
    free(node);
    return value;
}
