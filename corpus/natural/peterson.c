// verdict: holds
#include <linspect.h>
#include <stdatomic.h>
static atomic_int flag[2], turn; static int c;
static int bump(int i) {
    atomic_store(&flag[i], 1); atomic_store(&turn, 1 - i);
    while (atomic_load(&flag[1 - i]) && atomic_load(&turn) == 1 - i) {}
    int v = ++c; atomic_store(&flag[i], 0); return v;
}
LINSPECT_SETUP { flag[0] = flag[1] = turn = c = 0; }
LINSPECT_OP_RET(int, left, bump(0))
LINSPECT_OP_RET(int, right, bump(1))
LINSPECT_SINGLE_THREAD(left)
LINSPECT_SINGLE_THREAD(right)
