// exit 1: DATA RACE
// Two threads draw from one seed.
#include <pthread.h>
#include <stdlib.h>
static unsigned seed = 1;
static void *t(void *z) {
    int r = rand_r(&seed);
    return (void *)(long)r;
}
int main(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    int r = rand_r(&seed);
    pthread_join(p, 0);
    return r == 77;
}
