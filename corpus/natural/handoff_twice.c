// verdict: NOT LINEARIZABLE
// client: send(1) | recv | recv
#include <linspect.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int full, taken, value; 
static void send(int v) {
    pthread_mutex_lock(&m);
    while (full) pthread_cond_wait(&c, &m);
    full = 1; taken = 0; value = v; pthread_cond_broadcast(&c);
    while (!taken) pthread_cond_wait(&c, &m);
    full = 0; pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
}
static int recv(void) {
    pthread_mutex_lock(&m);
    while (!full) pthread_cond_wait(&c, &m);
    int v = value; taken = 1; pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return v;
}
LINSPECT_SETUP { full = taken = 0; }
LINSPECT_OP(send, send(v), int v, 1, 2)
LINSPECT_OP_RET(int, recv, recv())
