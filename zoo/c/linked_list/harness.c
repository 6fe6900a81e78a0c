#include <linspect.h>

#include "linked_list.h"

LINSPECT_OBJECT(list_t *, list, list_new())
LINSPECT_OP_RET(bool, add, list_add(list, key), int key, 1, 2, 3)
LINSPECT_OP_RET(bool, remove, list_remove(list, key), int key, 1, 2, 3)
LINSPECT_OP_RET(int, size, list_size(list))
LINSPECT_SPEC(set)
