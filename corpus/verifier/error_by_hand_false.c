extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "task.c", 3, "reach_error"); }
#include <pthread.h>
// An old task: its error is a function that is only declared.
extern void __VERIFIER_error(void);
extern void __VERIFIER_assert(int);
_Atomic int x;
void *add(void *unused) { x = x + 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    x = x + 1;
    pthread_join(t, 0);
    if (x == 1) __VERIFIER_error();
}
