extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
#include <pthread.h>
// A lock made of an assumption in an atomic section excludes.
int held, inside;
void lock(void) { __VERIFIER_atomic_begin(); __VERIFIER_assume(!held); held = 1; __VERIFIER_atomic_end(); }
void unlock(void) { __VERIFIER_atomic_begin(); held = 0; __VERIFIER_atomic_end(); }
void *work(void *unused) {
    lock();
    inside++;
    if (inside != 1) reach_error();
    inside--;
    unlock();
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
