// The processor's clock, read by hand: it goes on.
#include <stdint.h>
#include <stdio.h>

static uint64_t rdtsc(void) {
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return low | (uint64_t)high << 32;
}

static uint64_t rdtscp(void) {
    uint32_t low, high, processor;
    __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(processor));
    return low | (uint64_t)high << 32;
}

int main(void) {
    uint64_t first = rdtsc(), second = rdtscp();
    printf("%d\n", second > first && first > 0);
    return 0;
}
