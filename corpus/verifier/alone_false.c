#include <linspect.h>
int main(void) {
    int a = linspect_choose(20);
    linspect_assert(a != 13, "not that one");
}
