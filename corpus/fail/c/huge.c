#include <assert.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(1ul << 40);
    assert(p); // fault: Assertion
}
