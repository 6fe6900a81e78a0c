// A whole struct is copied, of which only the first field is used: the copy reads all of it.
#include <stdlib.h>

struct pair {
    long first;
    long second;
};

int main(void) {
    struct pair *p = malloc(sizeof p->first); // too small for the second field
    p->first = 1;
    struct pair copy = *p; // fault: OutOfBounds
    return copy.first == 1 ? 0 : 1;
}
