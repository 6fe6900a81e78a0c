// What is read is used by nobody, but it is read.
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    int unused = *p; // fault: UseAfterFree freed
    return 0;
}
