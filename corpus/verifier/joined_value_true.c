extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
#include <pthread.h>
// What pthread_exit and return hand to pthread_join.
void *work(void *arg) {
    if (__VERIFIER_nondet_bool()) pthread_exit((void *)3);
    return (void *)4;
}
int main(void) {
    pthread_t t;
    void *result = 0;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, &result);
    if (result != (void *)3 && result != (void *)4) reach_error();
}
