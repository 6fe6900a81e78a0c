// verdict: DATA RACE
#include <linspect.h>
#include <stdatomic.h>
static atomic_int flag[2], turn; static int c;
static int bump(int i) {
    atomic_store_explicit(&flag[i], 1, memory_order_release); atomic_store_explicit(&turn, 1 - i, memory_order_release);
    while (atomic_load_explicit(&flag[1 - i], memory_order_acquire) && atomic_load_explicit(&turn, memory_order_acquire) == 1 - i) {}
    int v = ++c; atomic_store_explicit(&flag[i], 0, memory_order_release); return v;
}
LINSPECT_SETUP { flag[0] = flag[1] = turn = c = 0; }
LINSPECT_OP_RET(int, left, bump(0))
LINSPECT_OP_RET(int, right, bump(1))
LINSPECT_SINGLE_THREAD(left)
LINSPECT_SINGLE_THREAD(right)
