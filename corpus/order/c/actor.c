// exit 0: LINEARIZABLE
// options: --max-operations 2
// A thread of the object answers one request after the other.
#include <linspect.h>
#include <pthread.h>
static pthread_mutex_t m;
static pthread_cond_t c;
static int req, res, n;
static pthread_t w;
static void *worker(void *a) {
    pthread_mutex_lock(&m);
    for (;;) {
        while (req != 1 && req != -1)
            pthread_cond_wait(&c, &m);
        if (req == -1)
            break;
        res = ++n;
        req = 2;
        pthread_cond_broadcast(&c);
    }
    pthread_mutex_unlock(&m);
    return a;
}
LINSPECT_SETUP {
    pthread_mutex_init(&m, 0);
    pthread_cond_init(&c, 0);
    req = res = n = 0;
    pthread_create(&w, 0, worker, 0);
}
LINSPECT_TEARDOWN {
    pthread_mutex_lock(&m);
    req = -1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    pthread_join(w, 0);
}
static int call(void) {
    pthread_mutex_lock(&m);
    while (req != 0)
        pthread_cond_wait(&c, &m);
    req = 1;
    pthread_cond_broadcast(&c);
    while (req != 2)
        pthread_cond_wait(&c, &m);
    int r = res;
    req = 0;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return r;
}
LINSPECT_OP_RET(int, call, call())
