extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
#include <pthread.h>
_Atomic int x;
void *set(void *n) { x = *(int *)n; return 0; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0);
    pthread_t t;
    pthread_create(&t, 0, set, &n);
    if (x < 0) reach_error();
    pthread_join(t, 0);
}
