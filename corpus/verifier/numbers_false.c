extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "task.c", 3, "reach_error"); }
#include <pthread.h>
// Numbers of every width may be anything, such as the largest.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
_Atomic unsigned long seen;
void *set(void *unused) { seen = __VERIFIER_nondet_ulong(); return 0; }
int main(void) {
    unsigned char u = __VERIFIER_nondet_uchar();
    short s = __VERIFIER_nondet_short();
    if (u != 255 || s != -32768) abort();
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    pthread_join(t, 0);
    if (seen == ~0ul) reach_error();
}
