extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "task.c", 3, "reach_error"); }
#include <pthread.h>
// Two threads add to each other: the largest that can come out is a number of Fibonacci.
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int i = 1, j = 1;
void *left(void *unused) {
    for (int k = 0; k < 2; k++) { __VERIFIER_atomic_begin(); i += j; __VERIFIER_atomic_end(); }
    return 0;
}
void *right(void *unused) {
    for (int k = 0; k < 2; k++) { __VERIFIER_atomic_begin(); j += i; __VERIFIER_atomic_end(); }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (i > 8 || j > 8) reach_error();
}
