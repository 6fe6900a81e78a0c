// exit 1: DATA RACE
// `clock_gettime` writes where it is told to.
#include <pthread.h>
#include <time.h>
static struct timespec ts;
static void *t(void *z) {
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return z;
}
int main(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    long n = ts.tv_nsec;
    pthread_join(p, 0);
    return n == 77;
}
