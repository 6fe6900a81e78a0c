extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "task.c", 3, "reach_error"); }
#include <pthread.h>
// A producer and a consumer take turns by two conditions.
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t empty = PTHREAD_COND_INITIALIZER, full = PTHREAD_COND_INITIALIZER;
int count, sum;
void *produce(void *unused) {
    for (int k = 0; k < 2; k++) {
        pthread_mutex_lock(&m);
        while (count > 0) pthread_cond_wait(&empty, &m);
        count++;
        pthread_cond_signal(&full);
        pthread_mutex_unlock(&m);
    }
    return 0;
}
void *consume(void *unused) {
    for (int k = 0; k < 2; k++) {
        pthread_mutex_lock(&m);
        while (count == 0) pthread_cond_wait(&full, &m);
        if (count != 1) reach_error();
        count--;
        sum++;
        pthread_cond_signal(&empty);
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t p, c;
    pthread_create(&p, 0, produce, 0);
    pthread_create(&c, 0, consume, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    if (sum != 2) reach_error();
}
