// Jumps to where a function was that has returned since.
#include <setjmp.h>

static jmp_buf env;

static int set(void) {
    return setjmp(env);
}

int main(void) {
    if (set() == 0)
        longjmp(env, 1); // fault: Misuse a longjmp to a place that is none
}
