// exit 1: DATA RACE
// Both ways of a choice give the same, and the loads that choose remain.
#include <pthread.h>

static int flag;

static void *worker(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int same = flag ? 3 : 3;
    pthread_join(thread, 0);
    return same - 3;
}
