// The model of the Bluetooth driver of Qadeer and Wu ("KISS: keep it simple and sequential"): a request
// checks that the driver is not stopping, and only then counts itself as pending.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pending_io = 1;
static bool stopping_flag, stopping_event, stopped;

static bool io_increment(void) {
    if (stopping_flag)
        return false;
    pthread_mutex_lock(&lock);
    pending_io++;
    pthread_mutex_unlock(&lock);
    return true;
}

static void io_decrement(void) {
    pthread_mutex_lock(&lock);
    int pending = --pending_io;
    pthread_mutex_unlock(&lock);
    if (pending == 0)
        stopping_event = true;
}

static void *add_request(void *unused) {
    if (io_increment()) {
        assert(!stopped);
        io_decrement();
    }
    return unused;
}

static void *stop(void *unused) {
    stopping_flag = true;
    io_decrement();
    if (stopping_event)
        stopped = true;
    return unused;
}

int main(void) {
    pthread_t adder, stopper;
    pthread_create(&adder, NULL, add_request, NULL);
    pthread_create(&stopper, NULL, stop, NULL);
    pthread_join(adder, NULL);
    pthread_join(stopper, NULL);
    return 0;
}
