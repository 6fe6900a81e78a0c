extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "task.c", 3, "reach_error"); }
#include <pthread.h>
// A bounded stack under a lock never underflows.
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int top, items[2];
void *push(void *unused) {
    for (int k = 0; k < 2; k++) {
        int item = __VERIFIER_nondet_bool();
        pthread_mutex_lock(&m);
        if (top < 2) items[top++] = item;
        pthread_mutex_unlock(&m);
    }
    return 0;
}
void *pop(void *unused) {
    for (int k = 0; k < 2; k++) {
        pthread_mutex_lock(&m);
        if (top > 0) {
            top--;
            if (items[top] != 0 && items[top] != 1) reach_error();
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, push, 0);
    pthread_create(&b, 0, pop, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (top < 0 || top > 2) reach_error();
}
