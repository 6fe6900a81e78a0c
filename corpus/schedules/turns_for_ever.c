/* `spin` toggles a cell until `stop` was called. As part of a prefix, before anybody can stop it, it never returns. */
#include <linspect.h>
#include <stdatomic.h>

static atomic_int cell, stopped;

LINSPECT_SETUP { cell = stopped = 0; }
LINSPECT_OP_BODY(spin) {
    while (!stopped)
        cell ^= 1;
}
LINSPECT_OP_BODY(stop) { stopped = 1; }
