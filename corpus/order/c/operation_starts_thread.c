// exit 0: LINEARIZABLE
// An operation starts a thread and waits for its end.
#include <linspect.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n;
static void *t(void *a) {
    atomic_fetch_add(&n, 1);
    return a;
}
LINSPECT_SETUP {
    n = 0;
}
static int add(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    pthread_join(p, 0);
    return 7;
}
LINSPECT_OP_RET(int, add, add())
