// exit 1: USE AFTER FREE
// A thread follows a pointer to memory that it has freed itself and allocated again.
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *unused) {
    int *stale = malloc(sizeof *stale);
    *stale = 1;
    free(stale);
    int *next = malloc(sizeof *next);
    *next = 1;
    int sum = *stale + *next;
    free(next);
    return sum == 2 ? unused : &sum;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
}
