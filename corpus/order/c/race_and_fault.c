// exit 1: ASSERTION
// A lost update is the fault; that the counter is raced for stands beside it.
#include <assert.h>
#include <pthread.h>

static int counter;

static void *add(void *unused) {
    counter = counter + 1;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(counter == 2);
}
