#include <linspect.h>
int main(void) {
    int a = linspect_choose(3), b = linspect_choose(2);
    linspect_assume(a != b);
    linspect_assert(a + b > 0, "one of them is positive");
}
