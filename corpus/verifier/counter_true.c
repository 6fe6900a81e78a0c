extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);
#include <pthread.h>
int count;
void *add(void *unused) {
    __VERIFIER_atomic_begin();
    count++;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (count != 2) reach_error();
}
