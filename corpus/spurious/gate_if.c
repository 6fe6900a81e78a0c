// verdict: NOT LINEARIZABLE
#include <linspect.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int is_open;

static void open_gate(void) {
    pthread_mutex_lock(&lock);
    is_open = 1;
    pthread_cond_broadcast(&opened);
    pthread_mutex_unlock(&lock);
}

static int pass(void) {
    pthread_mutex_lock(&lock);
    if (!is_open)
        pthread_cond_wait(&opened, &lock);
    int passed = is_open;
    pthread_mutex_unlock(&lock);
    return passed;
}

LINSPECT_SETUP { is_open = 0; }
LINSPECT_OP(open, open_gate())
LINSPECT_OP_RET(int, pass, pass())
