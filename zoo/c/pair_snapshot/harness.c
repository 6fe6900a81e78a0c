#include <linspect.h>

#include "pair_snapshot.h"

LINSPECT_OBJECT(snapshot_t *, snapshot, snapshot_new(1, 1))
LINSPECT_OP2(write, snapshot_write(snapshot, i, value), int i, int value, 0, 1, 0, 2, 1, 1, 1, 2)
LINSPECT_OP_BODY(read) {
    pair_t pair = snapshot_read(snapshot);
    linspect_return_int(pair.first);
    linspect_return_int(pair.second);
    linspect_return_list(2);
}
LINSPECT_SPEC(snapshot, .initial = 1)
