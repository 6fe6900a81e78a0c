#include <stdlib.h>
#include <string.h>
int main(void) {
    char *p = calloc(1, 16);
    memset(p + 8, 0, (size_t)-4); // fault: OutOfBounds of which there are only 16
}
