// exit 1: DATA RACE
// Attributes lie where the caller has them: two threads that make them in one place race.
#include <pthread.h>

static pthread_attr_t shared;

static void *worker(void *unused) {
    pthread_attr_init(&shared);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
}
