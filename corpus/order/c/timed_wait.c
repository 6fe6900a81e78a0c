// exit 1: ASSERTION
// A wait with a timeout may time out, signalled or not.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t call = PTHREAD_COND_INITIALIZER;
static int ready;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&call);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec far = {1 << 30, 0};
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&lock);
    if (!ready) pthread_cond_timedwait(&call, &lock, &far);
    assert(ready);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
}
