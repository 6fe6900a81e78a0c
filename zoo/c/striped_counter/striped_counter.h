#ifndef STRIPED_COUNTER_H
#define STRIPED_COUNTER_H

// A counter.
typedef struct counter counter_t;

counter_t *counter_new(void);
void counter_free(counter_t *counter);

void counter_increment(counter_t *counter);
void counter_decrement(counter_t *counter);
int counter_get(counter_t *counter);

#endif
