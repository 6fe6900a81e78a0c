// exit 1: USE AFTER FREE
// Who waits may be gone, and the condition with him, before it is signalled.
#include <pthread.h>
#include <stdlib.h>
struct e {
    pthread_mutex_t m;
    pthread_cond_t c;
    int set;
};
static void *t(void *a) {
    struct e *e = a;
    pthread_mutex_lock(&e->m);
    e->set = 1;
    pthread_mutex_unlock(&e->m);
    pthread_cond_signal(&e->c);
    return 0;
}
int main(void) {
    struct e *e = calloc(1, sizeof *e);
    pthread_mutex_init(&e->m, 0);
    pthread_cond_init(&e->c, 0);
    pthread_t p;
    pthread_create(&p, 0, t, e);
    pthread_mutex_lock(&e->m);
    while (!e->set)
        pthread_cond_wait(&e->c, &e->m);
    pthread_mutex_unlock(&e->m);
    free(e);
    pthread_join(p, 0);
}
