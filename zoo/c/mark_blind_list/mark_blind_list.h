#ifndef MARK_BLIND_LIST_H
#define MARK_BLIND_LIST_H

#include <stdbool.h>

// A sorted, lock-free set of positive integers.
typedef struct list list_t;

list_t *list_new(void);
void list_free(list_t *list);

// False if the key was there already.
bool list_add(list_t *list, int key);
// False if the key was not there.
bool list_remove(list_t *list, int key);
bool list_contains(list_t *list, int key);

#endif
