// Inline assembly on whole numbers: arithmetic with flags, jumps, single bits, locked instructions, questions to the processor.
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static const uint64_t samples[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff,
                                   0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x123456789abcdef0};
enum { SAMPLES = sizeof samples / sizeof *samples };

static uint64_t digest = 14695981039346656037u;

static void note(uint64_t value) {
    digest = (digest ^ value) * 1099511628211u;
}

static void result(const char *name) {
    printf("%s %016" PRIx64 "\n", name, digest);
}

// Result and all flags that conditions ask for, in three widths.
#define FLAGS "setc %1\n\tseto %2\n\tsets %3\n\tsetz %4\n\tsetbe %5\n\tsetl %6\n\tsetle %7\n\tsetg %8\n\tseta %9"
#define ARITHMETIC(name, operation, type, suffix)                                                                    \
    static void name(uint64_t a, uint64_t b) {                                                                       \
        type x = (type)a;                                                                                            \
        uint8_t c, o, s, z, be, l, le, g, above;                                                                     \
        __asm__ volatile(operation suffix " %10, %0\n\t" FLAGS                                                       \
                         : "+r"(x), "=m"(c), "=m"(o), "=m"(s), "=m"(z), "=m"(be), "=m"(l), "=m"(le), "=m"(g),        \
                           "=m"(above)                                                                               \
                         : "r"((type)b)                                                                              \
                         : "cc");                                                                                    \
        note(x);                                                                                                     \
        note(c | o << 1 | s << 2 | z << 3 | be << 4 | l << 5 | le << 6 | g << 7 | above << 8);                       \
    }
ARITHMETIC(add64, "add", uint64_t, "q")
ARITHMETIC(add32, "add", uint32_t, "l")
ARITHMETIC(add16, "add", uint16_t, "w")
ARITHMETIC(add8, "add", uint8_t, "b")
ARITHMETIC(sub64, "sub", uint64_t, "q")
ARITHMETIC(sub32, "sub", uint32_t, "l")
ARITHMETIC(sub8, "sub", uint8_t, "b")
ARITHMETIC(cmp64, "cmp", uint64_t, "q")
ARITHMETIC(cmp16, "cmp", uint16_t, "w")
ARITHMETIC(and32, "and", uint32_t, "l")
ARITHMETIC(or64, "or", uint64_t, "q")
ARITHMETIC(xor8, "xor", uint8_t, "b")
ARITHMETIC(test32, "test", uint32_t, "l")

static void wide(uint64_t a, uint64_t b) {
    uint64_t low = a, high = b;
    uint8_t carry;
    __asm__("addq %3, %0\n\tadcq %4, %1\n\tsetc %2" : "+r"(low), "+r"(high), "=q"(carry) : "r"(b), "r"(a) : "cc");
    note(low), note(high), note(carry);
    low = a, high = b;
    __asm__("subq %3, %0\n\tsbbq %4, %1\n\tsetb %2" : "+r"(low), "+r"(high), "=q"(carry) : "r"(b), "r"(a) : "cc");
    note(low), note(high), note(carry);
    uint64_t product = a, upper;
    __asm__("mulq %2" : "+a"(product), "=d"(upper) : "r"(b) : "cc");
    note(product), note(upper);
    uint32_t less = 7;
    __asm__("cmpq %2, %1\n\tcmovll %3, %0" : "+r"(less) : "r"(a), "r"(b), "r"(9u) : "cc");
    note(less);
}

static void shifts(uint64_t a, uint64_t b) {
    uint64_t x = a;
    uint32_t y = (uint32_t)a;
    uint8_t z = (uint8_t)a;
    __asm__("shlq %%cl, %0\n\tshrl %%cl, %1\n\tsarb %%cl, %2" : "+r"(x), "+r"(y), "+q"(z) : "c"((uint8_t)b) : "cc");
    note(x), note(y), note(z);
    x = a, y = (uint32_t)b;
    __asm__("rolq $13, %0\n\trorl $3, %1\n\tbswap %0\n\tsarl $4, %1" : "+r"(x), "+r"(y) : : "cc");
    note(x), note(y);
    uint64_t widened;
    __asm__("movzbl %b1, %k0\n\tmovsbq %b1, %1\n\tleaq 5(%0,%1,4), %0" : "=&r"(widened), "+r"(x));
    note(widened), note(x);
    if (a != 0) {
        uint64_t first, last;
        __asm__("bsfq %2, %0\n\tbsrq %2, %1" : "=r"(first), "=r"(last) : "r"(a) : "cc");
        note(first), note(last);
    }
}

static void bits(uint64_t a, uint64_t b) {
    uint64_t words[4] = {a, b, a, b};
    int64_t at = (int64_t)(b & 0x3f) - 64;
    uint8_t was, is;
    __asm__ volatile("lock; btsq %3, %0\n\tsetc %1\n\tbtq %3, %0\n\tsetc %2"
                     : "+m"(words[2]), "=&q"(was), "=&q"(is)
                     : "r"(at)
                     : "cc", "memory");
    note(words[0]), note(words[1]), note(words[2]), note(was), note(is);
    __asm__ volatile("btrl $5, %0\n\tbtcl $33, %0" : "+m"(*(uint32_t *)words) : : "cc");
    note(words[0]);
}

// Collatz, with a loop and a jump forwards.
static uint32_t rounds(uint64_t from) {
    uint32_t count = 0;
    __asm__("1:\tcmpq $1, %1\n\t"
            "je 3f\n\t"
            "incl %0\n\t"
            "testb $1, %b1\n\t"
            "jnz 2f\n\t"
            "shrq %1\n\t"
            "jmp 1b\n"
            "2:\tleaq 1(%1,%1,2), %1\n\t"
            "jmp 1b\n"
            "3:"
            : "+r"(count), "+r"(from)
            :
            : "cc");
    return count;
}

static uint64_t pair[2] __attribute__((aligned(16)));
static uint32_t counter;
static uint64_t sum, word = 1;

static void add_pair(uint64_t low, uint64_t high) {
    __asm__ volatile("movq %%rbx, %%r8\n\t"
                     "movq (%0), %%rax\n\t"
                     "movq 8(%0), %%rdx\n"
                     "1:\tmovq %%rax, %%rbx\n\t"
                     "addq %1, %%rbx\n\t"
                     "movq %%rdx, %%rcx\n\t"
                     "adcq %2, %%rcx\n\t"
                     "lock cmpxchg16b (%0)\n\t"
                     "jne 1b\n\t"
                     "movq %%r8, %%rbx"
                     :
                     : "D"(pair), "S"(low), "r"(high)
                     : "rax", "rcx", "rdx", "r8", "cc", "memory");
}

static void *thread(void *argument) {
    uint64_t by = (uint64_t)(uintptr_t)argument;
    add_pair(by, by);
    __asm__ volatile("lock; incl %0" : "+m"(counter) : : "cc");
    __asm__ volatile("lock; addl $0, 0(%%rsp)" : : : "memory", "cc");
    uint64_t old, seen = __atomic_load_n(&sum, __ATOMIC_RELAXED);
    do {
        old = seen;
        __asm__ volatile("lock cmpxchgq %2, %1" : "=a"(seen), "+m"(sum) : "r"(old + by), "0"(old) : "cc", "memory");
    } while (seen != old);
    uint64_t taken = 0;
    __asm__ volatile(".intel_syntax noprefix\n\tlock xor qword ptr [rdi], 6\n\tmov rcx, qword ptr [rdi]\n\t.att_syntax"
                     : "=c"(taken)
                     : "D"(&word)
                     : "memory", "cc");
    return 0;
}

// Which features there are is the processor's own affair; that the registers come back is not.
static int asked(void) {
    uint32_t a = 0, b = 0, c = 0, d = 0;
    uint64_t kept = 0x1234;
    __asm__ volatile("movq %4, %%r9\n\tpushq %%r9\n\txchgq %%rbx, %q1\n\tcpuid\n\txchgq %%rbx, %q1\n\tpopq %%r9\n\tmovq %%r9, %4"
                     : "+a"(a), "=&r"(b), "+c"(c), "=d"(d), "+r"(kept)
                     :
                     : "r9");
    return a >= 1 && kept == 0x1234;
}

int main(void) {
    for (int i = 0; i < SAMPLES; i++)
        for (int j = 0; j < SAMPLES; j++) {
            uint64_t a = samples[i], b = samples[j];
            add64(a, b), add32(a, b), add16(a, b), add8(a, b);
            sub64(a, b), sub32(a, b), sub8(a, b);
            cmp64(a, b), cmp16(a, b), and32(a, b), or64(a, b), xor8(a, b), test32(a, b);
        }
    result("arithmetic");
    for (int i = 0; i < SAMPLES; i++)
        for (int j = 0; j < SAMPLES; j++) wide(samples[i], samples[j]);
    result("wide");
    for (int i = 0; i < SAMPLES; i++)
        for (int j = 0; j < SAMPLES; j++) shifts(samples[i], samples[j]);
    result("shifts");
    for (int i = 0; i < SAMPLES; i++)
        for (int j = 0; j < SAMPLES; j++) bits(samples[i], samples[j]);
    result("bits");
    printf("rounds %u %u\n", rounds(27), rounds(1));
    pthread_t threads[2];
    for (uintptr_t i = 0; i < 2; i++) pthread_create(&threads[i], 0, thread, (void *)(UINTPTR_MAX - i));
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    printf("threads %" PRIx64 " %" PRIx64 " %u %" PRIx64 " %" PRIu64 "\n", pair[0], pair[1], counter, sum, word);
    printf("asked %d\n", asked());
    return 0;
}
