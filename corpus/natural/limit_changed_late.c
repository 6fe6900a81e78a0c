// verdict: DATA RACE
// client: set | look | get get get
// `limit` is read in every execution and written in few: when `look` finds that `set` had not begun and then that it is over.
#include <linspect.h>
#include <stdatomic.h>

static atomic_int a, b, c;
static int limit;

static void set(void) {
    a = 1;
    b = 1;
    c = 1;
}

static void look(void) {
    int before = a + b + c;
    int after = a + b + c;
    if (before == 0 && after == 3) limit = 2;
}

static int get(void) {
    int most = limit;
    return a + b < most;
}

LINSPECT_SETUP {
    a = b = c = 0;
    limit = 1;
}
LINSPECT_OP(set, set())
LINSPECT_OP(look, look())
LINSPECT_OP_RET(int, get, get())
