// Two threads add to each other's number: only strict alternation computes the Fibonacci numbers and reaches
// the largest.
#include <assert.h>
#include <pthread.h>

#define N 3

static int i = 1, j = 1;

static void *first(void *unused) {
    for (int k = 0; k < N; k++)
        i += j;
    return unused;
}

static void *second(void *unused) {
    for (int k = 0; k < N; k++)
        j += i;
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(i < 21 && j < 21);
    return 0;
}
