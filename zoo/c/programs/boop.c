// A driver whose two threads keep to their lock, and whose bug is not about threads at all: a buffer is
// released twice on the error path. Fails in every order of the threads.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int buffers = 1;
static int opened;

static bool start_hardware(void) { return false; }

static void *probe(void *unused) {
    pthread_mutex_lock(&lock);
    bool started = start_hardware();
    if (!started)
        buffers--; // error path
    buffers--;     // common exit
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *open_device(void *unused) {
    pthread_mutex_lock(&lock);
    opened++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, probe, NULL);
    pthread_create(&t2, NULL, open_device, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(buffers >= 0);
    return 0;
}
