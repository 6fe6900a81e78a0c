void reach_error(void) {}
extern void __VERIFIER_assume(int);
#include <pthread.h>
int count;
void *add(void *unused) { count++; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (count != 2) reach_error();
}
