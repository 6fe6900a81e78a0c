/* What is called at the end asks to be called again. */
#include <stdlib.h>

static void again(void) {
    atexit(again);
}

int main(void) {
    atexit(again);
    return 0;
}
