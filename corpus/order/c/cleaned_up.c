// exit 0: FREE OF FAULTS
// Whoever ends in the middle gives the lock back: pthread_cleanup_push says how.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void unlock(void *of) { pthread_mutex_unlock(of); }

static void *counts(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    if (++count == 1)
        pthread_exit(&count);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    void *first, *second;
    pthread_create(&a, NULL, counts, NULL);
    pthread_create(&b, NULL, counts, NULL);
    pthread_join(a, &first);
    pthread_join(b, &second);
    assert(count == 2 && (first == &count) != (second == &count));
}
