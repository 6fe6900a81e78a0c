// Operations between which a lock is held: whoever has begun ends himself, and whoever waits meanwhile may.
#include <linspect.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void begin(void) { pthread_mutex_lock(&lock); }
static void end(void) { pthread_mutex_unlock(&lock); }

LINSPECT_SETUP { pthread_mutex_init(&lock, 0); }
LINSPECT_OP(begin, begin())
LINSPECT_OP(end, end())
LINSPECT_AFTER(end, begin)
