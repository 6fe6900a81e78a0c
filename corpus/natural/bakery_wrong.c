// verdict: NOT LINEARIZABLE
#include <linspect.h>
#include <stdatomic.h>
static atomic_int choosing[2], number[2]; static int c;
static int bump(int i) {
    choosing[i] = 1; int m = number[1 - i]; number[i] = m + 1; choosing[i] = 0;
    int j = 1 - i; 
    while (number[j] != 0 && (number[j] < number[i] || (number[j] == number[i] && j < i))) {}
    int v = ++c; number[i] = 0; return v;
}
LINSPECT_SETUP { choosing[0] = choosing[1] = number[0] = number[1] = 0; c = 0; }
LINSPECT_OP_RET(int, left, bump(0))
LINSPECT_OP_RET(int, right, bump(1))
LINSPECT_SINGLE_THREAD(left)
LINSPECT_SINGLE_THREAD(right)
