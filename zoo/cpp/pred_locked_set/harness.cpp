#include <linspect.h>

#include "pred_locked_set.hpp"

LINSPECT_OBJECT(PredLockedSet *, set, new PredLockedSet)
LINSPECT_OP_RET(bool, add, set->add(key), int key, 1, 2, 3)
LINSPECT_OP_RET(bool, remove, set->remove(key), int key, 1, 2, 3)
LINSPECT_OP_RET(bool, contains, set->contains(key), int key, 1, 2, 3)
LINSPECT_SPEC(set)
