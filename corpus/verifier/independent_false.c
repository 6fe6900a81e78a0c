extern void __VERIFIER_assume(int);
extern void reach_error(void);
#include <pthread.h>
int y;
// An assumption of one thread hides nothing that another does meanwhile.
void *never(void *unused) { __VERIFIER_assume(0); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, never, 0);
    y = 5;
    if (y == 5) reach_error();
    pthread_join(t, 0);
}
