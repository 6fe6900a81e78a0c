// exit 1: DATA RACE
// Two threads that fill one set of signals.
#include <pthread.h>
#include <signal.h>

static sigset_t shared;

static void *worker(void *unused) {
    sigemptyset(&shared);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    sigaddset(&shared, SIGINT);
    pthread_join(thread, 0);
}
