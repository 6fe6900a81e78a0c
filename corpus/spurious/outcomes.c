/* What threads that wait with `if` or `while` can see, in three forms that have the same outcomes: the machine wakes them (--spurious), a choice in the
   program does (BY_CHOICE), a thread does that wakes everybody at any time (BY_HELPER). Each outcome is asked for by itself: the assertion fails if there is a run with it. */
#include <assert.h>
#include <linspect.h>
#include <pthread.h>

#ifndef WAITERS
#define WAITERS 1
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int level;
static int seen[2];

static void wait_once(int *used) {
#ifdef BY_CHOICE
    if (!*used && linspect_choose(2)) {
        *used = 1;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        return;
    }
#endif
    (void)used;
    pthread_cond_wait(&changed, &lock);
}

static void *waits(void *which) {
    int used = 0;
    pthread_mutex_lock(&lock);
#ifdef LOOP
    while (level == 0)
        wait_once(&used);
#else
    if (level == 0)
        wait_once(&used);
#endif
    *(int *)which = level;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *helps(void *unused) {
    pthread_cond_broadcast(&changed);
    return unused;
}

int main(void) {
    pthread_t waiters[WAITERS], helper;
    for (int i = 0; i < WAITERS; i++)
        pthread_create(&waiters[i], 0, waits, &seen[i]);
#ifdef BY_HELPER
    pthread_create(&helper, 0, helps, 0);
#else
    (void)helper;
    (void)helps;
#endif
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        level++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    for (int i = 0; i < WAITERS; i++)
        pthread_join(waiters[i], 0);
#ifdef BY_HELPER
    pthread_join(helper, 0);
#endif
    assert(seen[0] + 3 * seen[1] != OUTCOME);
}
