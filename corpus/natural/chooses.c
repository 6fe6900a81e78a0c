// verdict: holds
#include <linspect.h>
#include <stdatomic.h>
/* Whichever way `pick` chooses, it is what it does alone. */
static atomic_int sum;
static int pick(void) {
    int way = linspect_choose(3);
    atomic_fetch_add(&sum, way);
    return way;
}
LINSPECT_SETUP { sum = 0; }
LINSPECT_OP_RET(int, pick, pick())
LINSPECT_OP_RET(int, get, atomic_load(&sum))
