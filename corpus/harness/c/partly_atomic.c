// A cell that is written twice without a lock. That it shows 0 is mended by an atomic section; the data race with the second write is not.
#include <linspect.h>

static long cell;

static long put(void) {
    cell = 1;
    long seen = cell;
    cell = 0;
    return seen;
}

LINSPECT_SETUP { cell = 0; }
LINSPECT_OP_RET(long, put, put())
