// exit 1: USE AFTER FREE
// options: --operations 3 --threads 2
// A cell is freed and allocated again, at the same place, before anybody looks at the old one.
#include <linspect.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(long *) cell;

static void replace(long value) {
    free(atomic_load(&cell));
    long *next = malloc(sizeof *next);
    *next = value;
    atomic_store(&cell, next);
}

static long read_cell(void) { return *atomic_load(&cell); }

LINSPECT_SETUP {
    long *first = malloc(sizeof *first);
    *first = 0;
    cell = first;
}
LINSPECT_OP(replace, replace(v), long v, 0)
LINSPECT_OP_RET(long, read, read_cell())
LINSPECT_SINGLE_THREAD(replace)
