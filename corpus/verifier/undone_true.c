extern void __VERIFIER_assume(int);
extern void reach_error(void);
#include <pthread.h>
int x;
// Nobody sees what an atomic section did before its assumption failed.
void __VERIFIER_atomic_never(void) { x = 1; __VERIFIER_assume(x == 2); }
void *never(void *unused) { __VERIFIER_atomic_never(); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, never, 0);
    if (x != 0) reach_error();
}
