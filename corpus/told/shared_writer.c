// A writer that takes a read-write lock for reading: both hold it, and nothing is missing but the kind.
#include <linspect.h>
#include <pthread.h>

static pthread_rwlock_t lock;
static int value;

static int get(void) {
    pthread_rwlock_rdlock(&lock);
    int seen = value;
    pthread_rwlock_unlock(&lock);
    return seen;
}

static void set(void) {
    pthread_rwlock_rdlock(&lock);
    value = 1;
    pthread_rwlock_unlock(&lock);
}

LINSPECT_SETUP {
    pthread_rwlock_init(&lock, 0);
    value = 0;
}
LINSPECT_OP_RET(int, get, get())
LINSPECT_OP(set, set())

// says: both hold lock, but only for reading
// never: without lock
