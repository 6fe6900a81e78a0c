// verdict: holds
// client: set | look | get get get get
// As in limit_changed_late.c, but `look` asks for what cannot be, so nobody writes `limit`.
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
    if (before == 3 && after == 0) limit = 2;
}

static int get(void) {
    int most = limit;
    return a < most;
}

LINSPECT_SETUP {
    a = b = c = 0;
    limit = 1;
}
LINSPECT_OP(set, set())
LINSPECT_OP(look, look())
LINSPECT_OP_RET(int, get, get())
