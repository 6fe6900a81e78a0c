// verdict: NOT LINEARIZABLE
#include <linspect.h>
#include <stdatomic.h>
static atomic_int sum;
/* In one of two ways an addition is lost. */
static int pick(void) {
    int way = linspect_choose(2);
    if (way)
        atomic_store(&sum, atomic_load(&sum) + 1);
    else
        atomic_fetch_add(&sum, 1);
    return way;
}
LINSPECT_SETUP { sum = 0; }
LINSPECT_OP_RET(int, pick, pick())
LINSPECT_OP_RET(int, get, atomic_load(&sum))
