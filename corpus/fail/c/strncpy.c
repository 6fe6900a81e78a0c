#include <stdlib.h>
#include <string.h>
int main(void) {
    char *p = malloc(8);
    strncpy(p, "x", (size_t)-1); // fault: OutOfBounds of which there are only 8
}
