// verdict: DATA RACE
// Two threads count themselves in and out by additions whose results nobody uses, and touch plain data in between. Whoever has counted out before the other
// counts in synchronises with it, so many schedules have no race. Those in which both are inside have one.
#include <linspect.h>
#include <stdatomic.h>

static atomic_int inside;
static int data;

static void put(void) {
    atomic_fetch_add(&inside, 1);
    data = 1;
    atomic_fetch_sub(&inside, 1);
}

static int get(void) {
    atomic_fetch_add(&inside, 1);
    int value = data;
    atomic_fetch_sub(&inside, 1);
    return value;
}

LINSPECT_SETUP {
    inside = 0;
    data = 0;
}
LINSPECT_OP(put, put())
LINSPECT_OP_RET(int, get, get())
