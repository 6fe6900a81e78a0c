// A wait behind an `if` in the same line: the lock is held all along, but for the wait.
#include <linspect.h>
#include <pthread.h>

static pthread_mutex_t lock;
static pthread_cond_t filled;
static int count;

static void put(void) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

static void take(void) {
    pthread_mutex_lock(&lock);
    if (count == 0) pthread_cond_wait(&filled, &lock);
    linspect_assert(count > 0, "there is something to take");
    count--;
    pthread_mutex_unlock(&lock);
}

LINSPECT_SETUP {
    pthread_mutex_init(&lock, 0);
    pthread_cond_init(&filled, 0);
    count = 0;
}
LINSPECT_OP(put, put())
LINSPECT_OP(take, take())

// says: into a loop (`while`)
// never: hold one lock over
