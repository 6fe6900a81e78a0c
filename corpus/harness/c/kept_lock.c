// `take` returns without giving its lock back where there is nothing to take: whoever comes next waits for ever, also when nobody else runs.
#include <linspect.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int count;

static int take(void) {
    pthread_mutex_lock(&lock);
    if (count == 0)
        return 0;
    count--;
    pthread_mutex_unlock(&lock);
    return 1;
}

static void put(void) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
}

LINSPECT_SETUP {
    pthread_mutex_init(&lock, 0);
    count = 0;
}
LINSPECT_OP_RET(int, take, take())
LINSPECT_OP(put, put())
