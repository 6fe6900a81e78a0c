// Nobody may wait for a thread that was let go.
#include <pthread.h>

static void *worker(void *unused) { return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_detach(thread);
    pthread_join(thread, NULL); // fault: Misuse was detached
    return 0;
}
