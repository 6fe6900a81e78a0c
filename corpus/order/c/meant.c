// exit 0: LINEARIZABLE
// options: --operations 3 --threads 2
// A hint that may be old is read without care, and the harness says so.
#include <linspect.h>
#include <stdatomic.h>

static atomic_int value;
static int hint;

static void set(int v) {
    hint = v;
    atomic_store(&value, v);
}

static int get(void) {
    int guess = hint;
    int real = atomic_load(&value);
    return guess == real ? guess : real;
}

LINSPECT_SETUP { value = hint = 0; }
LINSPECT_OP(set, set(v), int v, 1)
LINSPECT_OP_RET(int, get, get())
LINSPECT_SINGLE_THREAD(set)
LINSPECT_ALLOW_RACE(hint)
