/* A plain program with threads and an assertion: no harness, no operations.
 *
 *     linspect test examples/programs/counter.c
 */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *work(void *unused) {
    counter++; /* a read and a write */
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(counter == 2);
}
