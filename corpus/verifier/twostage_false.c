extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "task.c", 3, "reach_error"); }
#include <pthread.h>
// Two locked regions that belong together are not one.
pthread_mutex_t am = PTHREAD_MUTEX_INITIALIZER, bm = PTHREAD_MUTEX_INITIALIZER;
int a, b;
void *write(void *unused) {
    pthread_mutex_lock(&am); a = 1; pthread_mutex_unlock(&am);
    pthread_mutex_lock(&bm); b = a + 1; pthread_mutex_unlock(&bm);
    return 0;
}
void *read(void *unused) {
    pthread_mutex_lock(&am);
    int seen = a;
    pthread_mutex_unlock(&am);
    if (seen == 0) return 0;
    pthread_mutex_lock(&bm);
    int other = b;
    pthread_mutex_unlock(&bm);
    if (other != seen + 1) reach_error();
    return 0;
}
int main(void) {
    pthread_t w, r;
    pthread_create(&w, 0, write, 0);
    pthread_create(&r, 0, read, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
}
