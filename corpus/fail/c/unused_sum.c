// Neither the value that is read nor what is computed from it is used.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *p = 0;
    int unused = (p->value + 1) * 2; // fault: NullPointer null
    return 0;
}
