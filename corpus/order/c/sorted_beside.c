// exit 1: ASSERTION FAILED
// What `qsort` moves, it writes: another thread reads the first element before or after it.
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
static int a[3] = {3, 1, 2};
static int cmp(const void *l, const void *r) {
    return *(const int *)l - *(const int *)r;
}
static void *t(void *z) {
    qsort(a, 3, sizeof *a, cmp);
    return z;
}
int main(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    int v = a[0];
    pthread_join(p, 0);
    assert(v == 3);
}
