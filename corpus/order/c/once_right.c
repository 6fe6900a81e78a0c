// exit 0: FREE OF FAULTS
// Whoever comes second waits for the first, and sees what it made.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int *made;

static void make(void) {
    made = malloc(sizeof *made);
    *made = 5;
}

static void *worker(void *unused) {
    pthread_once(&once, make);
    assert(*made == 5);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    free(made);
}
