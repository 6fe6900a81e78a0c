// exit 1: NOT LINEARIZABLE
// A lock that is only taken for one of the keys.
#include <linspect.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int present[8];

static int add(int key) {
    int locked = key != 7;
    if (locked) pthread_mutex_lock(&lock);
    int fresh = !atomic_load(&present[key]);
    atomic_store(&present[key], 1);
    if (locked) pthread_mutex_unlock(&lock);
    return fresh;
}

LINSPECT_SETUP { for (int i = 0; i < 8; i++) present[i] = 0; }
LINSPECT_OP_RET(bool, add, add(key), int key, 1, 7)
LINSPECT_SPEC(set)
