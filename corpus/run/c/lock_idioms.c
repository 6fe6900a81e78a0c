// Inline assembly of real lock-free code: MCS, ticket, seqlock, atomic bit, cpu_relax, barriers, lock xadd, cmpxchg
// with flags output, memory clobbers.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#define barrier() __asm__ __volatile__("" ::: "memory")
#define cpu_relax() __asm__ __volatile__("rep; nop" ::: "memory")
#define smp_mb() __asm__ __volatile__("lock; addl $0,0(%%rsp)" ::: "memory", "cc")
#define ACCESS_ONCE(x) (*(volatile __typeof__(x) *)&(x))
typedef struct {
    volatile uint32_t v;
} ticket_t;
static inline uint32_t xadd(volatile uint32_t *p, uint32_t v) {
    __asm__ __volatile__("lock; xaddl %0, %1" : "+r"(v), "+m"(*p) : : "memory", "cc");
    return v;
}
static inline uint64_t cmpxchg(volatile uint64_t *p, uint64_t old, uint64_t new) {
    uint64_t prev;
    __asm__ __volatile__("lock; cmpxchgq %2,%1" : "=a"(prev), "+m"(*p) : "r"(new), "0"(old) : "memory");
    return prev;
}
static inline int bts(volatile uint64_t *p, long n) {
    int old;
    __asm__ __volatile__("lock; btsq %2,%1\n\tsbbl %0,%0" : "=r"(old), "+m"(*p) : "Ir"(n) : "memory", "cc");
    return old;
}
static inline uint8_t cas_z(volatile uint64_t *p, uint64_t *o, uint64_t n) {
    uint8_t ok;
    __asm__ __volatile__("lock; cmpxchgq %3, %0; sete %1" : "+m"(*p), "=q"(ok), "+a"(*o) : "r"(n) : "memory", "cc");
    return ok;
}
static inline int cas_flag(volatile int *p, int o, int n) {
    int ok;
    __asm__ __volatile__("lock cmpxchgl %3, %1" : "=@ccz"(ok), "+m"(*p), "+a"(o) : "r"(n) : "memory");
    return ok;
}
static inline uint64_t xchg(volatile uint64_t *p, uint64_t v) {
    __asm__ __volatile__("xchgq %0,%1" : "=r"(v), "+m"(*p) : "0"(v) : "memory");
    return v;
}
static inline void atomic_inc(volatile int *p) { __asm__ __volatile__("lock; incl %0" : "+m"(*p) : : "cc"); }
static inline int dec_and_test(volatile int *p) {
    unsigned char c;
    __asm__ __volatile__("lock; decl %0; sete %1" : "+m"(*p), "=qm"(c) : : "memory");
    return c;
}
static inline uint64_t bsf(uint64_t x) {
    uint64_t r;
    __asm__("bsfq %1,%0" : "=r"(r) : "rm"(x));
    return r;
}
static inline uint64_t bsr(uint64_t x) {
    uint64_t r;
    __asm__("bsrq %1,%0" : "=r"(r) : "rm"(x));
    return r;
}
static inline uint32_t bswap(uint32_t x) {
    __asm__("bswap %0" : "+r"(x));
    return x;
}
static inline uint64_t mulhi(uint64_t a, uint64_t b) {
    uint64_t lo, hi;
    __asm__("mulq %3" : "=a"(lo), "=d"(hi) : "a"(a), "rm"(b) : "cc");
    return hi + 0 * lo;
}
static ticket_t next, now;
static int shared, count;
static volatile uint64_t word, lockword;
static volatile int refs = 3, zero;
static void lock(void) {
    uint32_t t = xadd(&next.v, 1);
    while (now.v != t) cpu_relax();
    barrier();
}
static void unlock(void) {
    barrier();
    now.v++;
}
static void *work(void *p) {
    for (int i = 0; i < 2; i++) {
        lock();
        shared++;
        unlock();
    }
    atomic_inc(&count);
    uint64_t o;
    do { o = word; } while (cmpxchg(&word, o, o + 3) != o);
    while (xchg(&lockword, 1)) cpu_relax();
    smp_mb();
    barrier();
    ACCESS_ONCE(lockword) = 0;
    if (dec_and_test(&refs)) zero = 1;
    return p;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    uint64_t bits = 0;
    int a = bts(&bits, 5), b = bts(&bits, 5), c = bts(&bits, 40);
    uint64_t o = bits;
    uint8_t ok = cas_z(&bits, &o, 9);
    uint8_t no = cas_z(&bits, &o, 9), again = cas_z(&bits, &(uint64_t){1}, 2);
    volatile int x = 4;
    int f1 = cas_flag(&x, 4, 5), f2 = cas_flag(&x, 4, 6);
    printf("%d %d %lu %d | %d %d %d %d %d %d | %d%d%d | %lu %lu %x %lx\n", shared, count, (unsigned long)word, zero, a,
           b, c, ok, no, again, f1, f2, x, (unsigned long)bsf(40), (unsigned long)bsr(40), bswap(0x11223344),
           (unsigned long)mulhi(UINT64_MAX, 16));
    __asm__ __volatile__("mfence; lfence; sfence");
    return 0;
}
