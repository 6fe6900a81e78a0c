extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "task.c", 3, "reach_error"); }
#include <pthread.h>
// Three threads under one lock: their order decides.
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int data;
void *one(void *unused) { pthread_mutex_lock(&m); data++; pthread_mutex_unlock(&m); return 0; }
void *two(void *unused) { pthread_mutex_lock(&m); data += 2; pthread_mutex_unlock(&m); return 0; }
void *three(void *unused) {
    pthread_mutex_lock(&m);
    if (data >= 3) reach_error();
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_create(&c, 0, three, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
}
