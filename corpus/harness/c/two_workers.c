// Two workers of the object's own take two locks: in one order, or (CROSSED) each in its own. No operation waits for them.
#include <linspect.h>
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static int beaten;

static void *beat(void *unused) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    beaten++;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return unused;
}

static void *beat_crossed(void *unused) {
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    beaten++;
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return unused;
}

static int ping(void) { return 1; }

LINSPECT_SETUP {
    pthread_t one, other;
    beaten = 0;
    pthread_create(&one, 0, beat, 0);
#ifdef CROSSED
    pthread_create(&other, 0, beat_crossed, 0);
#else
    (void)beat_crossed;
    pthread_create(&other, 0, beat, 0);
#endif
    pthread_detach(one);
    pthread_detach(other);
}
LINSPECT_OP_RET(int, ping, ping())
