// What is read is an index into something that is not used.
#include <stdlib.h>

int main(void) {
    int table[4] = {1, 2, 3, 4};
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    int unused = table[*p]; // fault: UseAfterFree freed
    return table[0] == 1 ? 0 : 1;
}
