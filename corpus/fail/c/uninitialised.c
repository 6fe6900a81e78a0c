#include <stdlib.h>
int main(void) {
    int *p = malloc(8);
    p[1] = 1;
    if (p[0]) // fault: Uninitialised was never written
        return 1;
    return 0;
}
