/* Threads that start threads, one of them only if it comes early enough. Each child stores and looks at what it finds. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int cell, met;

static void *child(void *number) {
    int old = atomic_exchange(&cell, (int)(long)number);
    if (old != 0)
        atomic_store(&met, 1);
    return 0;
}

static void *first(void *unused) {
    (void)unused;
    pthread_t started;
    if (atomic_load(&cell) == 0) {
        pthread_create(&started, 0, child, (void *)1);
        pthread_join(started, 0);
    }
    return 0;
}

static void *second(void *unused) {
    (void)unused;
    pthread_t started;
    pthread_create(&started, 0, child, (void *)2);
    pthread_join(started, 0);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#ifdef NEVER_MEET
    assert(!met);
#endif
    return 0;
}
