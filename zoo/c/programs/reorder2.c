// Two threads set a pair, two others check that it is set or not set, never half.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a;
static atomic_int b;

static void *set(void *unused) {
    a = 1;
    b = -1;
    return unused;
}

static void *check(void *unused) {
    int x = a;
    int y = b;
    assert((x == 0 && y == 0) || (x == 1 && y == -1));
    return unused;
}

int main(void) {
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, set, NULL);
    pthread_create(&threads[1], NULL, set, NULL);
    pthread_create(&threads[2], NULL, check, NULL);
    pthread_create(&threads[3], NULL, check, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
