extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "task.c", 3, "reach_error"); }
#include <pthread.h>
// A reader between two writes sees the one without the other.
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int a, b;
void *set(void *unused) {
    __VERIFIER_atomic_begin(); a = 1; __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin(); b = -1; __VERIFIER_atomic_end();
    return 0;
}
void *check(void *unused) {
    __VERIFIER_atomic_begin();
    int good = (a == 0 && b == 0) || (a == 1 && b == -1);
    __VERIFIER_atomic_end();
    if (!good) reach_error();
    return 0;
}
int main(void) {
    pthread_t s, c;
    pthread_create(&s, 0, set, 0);
    pthread_create(&c, 0, check, 0);
    pthread_join(s, 0);
    pthread_join(c, 0);
}
