extern void __VERIFIER_assume(int);
extern void reach_error(void);
#include <pthread.h>
int lock, inside;
// A lock as an atomic section that waits: runs in which the lock is held go no further.
void __VERIFIER_atomic_acquire(void) { __VERIFIER_assume(lock == 0); lock = 1; }
void __VERIFIER_atomic_release(void) { lock = 0; }
void *work(void *unused) {
    __VERIFIER_atomic_acquire();
    inside++;
    if (inside != 1) reach_error();
    inside--;
    __VERIFIER_atomic_release();
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
