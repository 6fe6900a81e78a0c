// exit 1: DATA RACE
// volatile orders nothing.
#include <pthread.h>

static volatile int ready;
static int data;

static void *worker(void *unused) {
    data = 1;
    ready = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int sum = ready ? data : 1;
    pthread_join(thread, 0);
    return sum - 1;
}
