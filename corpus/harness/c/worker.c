// A worker of the object's own does what is submitted. When everything is done it waits for more, for ever.
#include <linspect.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static atomic_int queued;

static void *run(void *unused) {
    for (;;) {
#ifdef LOST
        // What is submitted between the question and the wait wakes nobody.
        if (!queued) {
            pthread_mutex_lock(&lock);
            pthread_cond_wait(&work, &lock);
            pthread_mutex_unlock(&lock);
        }
        pthread_mutex_lock(&lock);
#else
        pthread_mutex_lock(&lock);
        while (!queued)
            pthread_cond_wait(&work, &lock);
#endif
        queued--;
        pthread_cond_broadcast(&idle);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void submit(void) {
    pthread_mutex_lock(&lock);
    queued++;
    pthread_cond_signal(&work);
    pthread_mutex_unlock(&lock);
}

// Waits until everything is done.
static void drain(void) {
    pthread_mutex_lock(&lock);
    while (queued)
        pthread_cond_wait(&idle, &lock);
    pthread_mutex_unlock(&lock);
}

static void setup(void) {
    pthread_t worker;
    pthread_create(&worker, 0, run, 0);
    pthread_detach(worker);
}

LINSPECT_SETUP { queued = 0; setup(); }
LINSPECT_OP(submit, submit())
LINSPECT_OP(drain, drain())
