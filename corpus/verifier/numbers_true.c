extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "task.c", 3, "reach_error"); }
#include <pthread.h>
// A number of eight bits without sign is never larger than 255, and a truth value is one of two.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
_Atomic int seen;
void *set(void *unused) { seen = __VERIFIER_nondet_bool() ? __VERIFIER_nondet_uchar() : -1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    int now = seen;
    if (now > 255 || now < -1) reach_error();
    pthread_join(t, 0);
}
