// verdict: holds
// POSIX: who did not lock is refused by unlock, and the owner by lock.
#define _GNU_SOURCE
#include <linspect.h>
#include <pthread.h>
#include <stdbool.h>
static pthread_mutex_t m;
LINSPECT_SETUP {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &a);
}
LINSPECT_OP_RET(bool, lock, pthread_mutex_lock(&m) == 0)
LINSPECT_OP_RET(bool, try_lock, pthread_mutex_trylock(&m) == 0)
LINSPECT_OP_RET(bool, unlock, pthread_mutex_unlock(&m) == 0)
LINSPECT_SPEC(owned_mutex)
