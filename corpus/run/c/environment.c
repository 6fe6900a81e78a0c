// Harmless questions to the system, what is called at the end, and the processor's own clock.
#define _GNU_SOURCE
#include <execinfo.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <x86intrin.h>
#include <cpuid.h>

extern int __cxa_atexit(void (*function)(void *), void *argument, void *handle);
extern void *__dso_handle;

static void last(void) { puts("last"); }
static void first(void *argument) { printf("first %s\n", (char *)argument); }

static uint64_t moved(void) {
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

static unsigned leaves(void) {
    unsigned a = 0, b, c, d;
    // As in position-independent code of old: `ebx` is saved elsewhere.
    __asm__ volatile("xchgq %%rbx, %q1\n\tcpuid\n\txchgq %%rbx, %q1" : "+a"(a), "=&r"(b), "=c"(c), "=d"(d) : "2"(0));
    return a;
}

int main(void) {
    char place[4096];
    void *frames[8];
    unsigned processor;
    printf("place %d\n", getcwd(place, sizeof place) == place && place[0] == '/');
    printf("none %d\n", getenv("LINSPECT_NO_SUCH_VARIABLE") == NULL && secure_getenv("LINSPECT_NO_SUCH_VARIABLE") == NULL);
    printf("frames %d\n", backtrace(frames, 8) >= 0);
    uint64_t before = moved(), between = __rdtsc(), after = __rdtscp(&processor);
    printf("clock %d\n", before < between && between < after);
    printf("leaves %d\n", leaves() > 0 && __get_cpuid_max(0, NULL) > 0);
    struct rlimit stack;
    printf("stack %d\n", getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur >= 1 << 16 && stack.rlim_max >= stack.rlim_cur);
    printf("page %ld\n", sysconf(_SC_PAGESIZE));
    char *allocated = getcwd(NULL, 0);
    printf("allocated %d\n", allocated != NULL && allocated[0] == '/');
    free(allocated);
    atexit(last);
    __cxa_atexit(first, "and its argument", &__dso_handle);
    fflush(stdout);
    return 3;
}
