#ifndef TWO_STACK_POOL_H
#define TWO_STACK_POOL_H

#define POOL_EMPTY (-1)

// A pool of integers other than POOL_EMPTY, in no particular order.
typedef struct pool pool_t;

pool_t *pool_new(void);
void pool_free(pool_t *pool);

void pool_put(pool_t *pool, int value);
// Any value, or POOL_EMPTY if the pool has none.
int pool_take(pool_t *pool);

#endif
