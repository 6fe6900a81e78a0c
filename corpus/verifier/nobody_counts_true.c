extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
#include <pthread.h>
// An assumption that excludes every run that comes to the error.
int x;
void *work(void *unused) { x = 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    if (__VERIFIER_nondet_bool()) {
        __VERIFIER_assume(x == 2);
        reach_error();
    }
}
