#include <linspect.h>

#include "ordered_tree.h"

LINSPECT_OBJECT(map_t *, map, map_new())
LINSPECT_OP2_RET(bool, put_if_absent, map_put(map, key, value), int key, int value, 1, 7, 2, 7, 3, 7)
LINSPECT_OP_RET(bool, remove, map_remove(map, key), int key, 1, 2, 3)
LINSPECT_OP_RET(int, get, map_get(map, key), int key, 1, 2, 3)
LINSPECT_SPEC(map, .initial = -1)
