#ifndef ORDERED_TREE_H
#define ORDERED_TREE_H

#include <stdbool.h>

#define MAP_ABSENT (-1)

// A map from positive integers to integers other than MAP_ABSENT.
typedef struct map map_t;

map_t *map_new(void);

// Adds the key; false, and nothing changed, if it was there already.
bool map_put(map_t *map, int key, int value);
// False if the key was not there.
bool map_remove(map_t *map, int key);
// The key's value, or MAP_ABSENT.
int map_get(map_t *map, int key);

#endif
