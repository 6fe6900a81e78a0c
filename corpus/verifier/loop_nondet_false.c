extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#include <pthread.h>
// A choice in every round of a loop: only -1 twice brings the sum to -2.
int sum;
void *add(void *unused) {
    for (int i = 0; i < 2; i++) {
        int n = __VERIFIER_nondet_int();
        __VERIFIER_assume(n == 1 || n == -1);
        sum += n;
    }
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    pthread_join(t, 0);
    if (sum == -2) reach_error();
}
