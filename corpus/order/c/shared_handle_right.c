// exit 0: FREE OF FAULTS
// A thread may look at its own handle, and at all of them once they are there.
#include <assert.h>
#include <pthread.h>

static pthread_t threads[2];
static void *results[2];

static void *looks(void *index) {
    if (index == NULL)
        assert(pthread_equal(threads[0], pthread_self()));
    return index;
}

int main(void) {
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, looks, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &results[i]);
    assert(results[0] == NULL && results[1] == (void *)1);
}
