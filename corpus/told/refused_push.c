// A stack drops the fifth push. It is wrong when one thread runs alone, whatever its orderings.
#include <linspect.h>
#include <stdatomic.h>
static atomic_int n;
static atomic_int v[4];
LINSPECT_SETUP {
    n = 0;
}
static void push(int x) {
    int i = atomic_load_explicit(&n, memory_order_relaxed);
    do {
        if (i == 4)
            return;
    } while (!atomic_compare_exchange_weak(&n, &i, i + 1));
}
static int size(void) {
    return atomic_load_explicit(&n, memory_order_relaxed);
}
LINSPECT_OP(push, push(x), int x, 1)
LINSPECT_OP_RET(int, size, size())
LINSPECT_SPEC(stack)

// says: only 5 was possible
// never: only weaker orderings allow this
