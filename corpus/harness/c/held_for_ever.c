// A thread that goes round for ever with a lock that another one waits for at its first step.
#include <linspect.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stopped;

static int serve(void) {
    pthread_mutex_lock(&lock);
    while (!stopped) {
    }
    pthread_mutex_unlock(&lock);
    return 1;
}

static int stop(void) {
    pthread_mutex_lock(&lock);
    stopped = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

LINSPECT_SETUP { stopped = 0; }
LINSPECT_OP_RET(int, serve, serve())
LINSPECT_OP_RET(int, stop, stop())
