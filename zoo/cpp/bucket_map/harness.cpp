#include <linspect.h>

#include "bucket_map.hpp"

LINSPECT_OBJECT(BucketMap *, map, new BucketMap)
LINSPECT_OP2_RET(bool, put_if_absent, map->put_if_absent(key, value), int key, int value, 1, 7, 1, 8, 2, 7)
LINSPECT_OP_RET(bool, remove, map->remove(key), int key, 1, 2)
LINSPECT_OP_BODY(get, 1, 2) {
    if (auto value = map->get(static_cast<int>(linspect_argument(0))))
        linspect_return_int(*value);
    else
        linspect_return_nil();
}
LINSPECT_SPEC(map)
