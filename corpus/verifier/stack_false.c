extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "task.c", 3, "reach_error"); }
#include <pthread.h>
// A stack whose pop looks before it takes the lock underflows.
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Atomic int top = 1;
void *pop(void *unused) {
    if (top > 0) {
        pthread_mutex_lock(&m);
        top--;
        if (top < 0) reach_error();
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pop, 0);
    pthread_create(&b, 0, pop, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
