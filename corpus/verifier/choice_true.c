extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
#include <pthread.h>
_Atomic int x;
void *set(void *unused) { if (__VERIFIER_nondet_bool()) x = 1; else x = 2; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    int seen = x;
    if (seen < 0 || seen > 2) reach_error();
    pthread_join(t, 0);
}
