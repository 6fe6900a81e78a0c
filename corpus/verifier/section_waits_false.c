extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
#include <pthread.h>
// An atomic section whose assumption another thread makes true is entered afterwards, and not before.
int ready, data;
void *wait(void *unused) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(ready);
    int seen = data;
    data = 2;
    __VERIFIER_atomic_end();
    if (seen == 1) reach_error();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, wait, 0);
    data = 1;
    ready = 1;
    pthread_join(t, 0);
}
