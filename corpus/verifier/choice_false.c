extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {}
void assume_abort_if_not(int holds) { if (!holds) abort(); }
#include <pthread.h>
_Atomic int x;
void *set(void *n) { x = *(int *)n; return 0; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    assume_abort_if_not(n > 2);
    pthread_t t;
    pthread_create(&t, 0, set, &n);
    if (x == 3) reach_error();
    pthread_join(t, 0);
}
