/* What was initialised before threads ran beside each other is no step: `pthread_once` when done decides nothing. */
#include <linspect.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int next;

static void begin(void) { atomic_store(&next, 7); }

static int number(void) {
    pthread_once(&once, begin);
    int mine = atomic_load(&next);
    atomic_store(&next, mine + 1);
    return mine;
}

LINSPECT_SETUP {
    pthread_once(&once, begin);
    atomic_store(&next, 7);
}
LINSPECT_OP_RET(int, number, number())

// options: -v
// client: number | number
// says: all 4 steps
// never: pthread_once(&once, begin);
