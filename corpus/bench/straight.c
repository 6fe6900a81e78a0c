// Straight-line work with a shared counter: what the machine's speed is measured with.
#include <stdio.h>

static unsigned table[256];

int main(void) {
    unsigned hash = 2166136261u;
    for (unsigned i = 0; i < 2000000; i++) {
        hash ^= i & 255;
        hash *= 16777619u;
        table[hash & 255] += i;
    }
    printf("%u %u\n", hash, table[7]);
    return 0;
}
