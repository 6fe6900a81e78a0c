#ifndef SIMPLE_LIST_H
#define SIMPLE_LIST_H

#include <stdbool.h>

// A sorted set of positive integers.
typedef struct list list_t;

list_t *list_new(void);
void list_free(list_t *list);

// False if the value was there already.
bool list_add(list_t *list, int val);
// False if the value was not there.
bool list_remove(list_t *list, int val);
bool list_contains(list_t *list, int val);

#endif
