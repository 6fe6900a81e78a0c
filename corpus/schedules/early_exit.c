/* main returns although its thread may still run: the thread may have stored by the time main looks, and it may fail before the process is gone. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int stored, looked;

static void *store(void *unused) {
    (void)unused;
    atomic_store(&stored, 1);
#ifdef FAILS_LATE
    assert(!atomic_load(&looked));
#endif
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, store, 0);
#ifdef DETACHED
    pthread_detach(thread);
#endif
#ifdef FAILS_LATE
    atomic_store(&looked, 1);
#else
    assert(!atomic_load(&stored));
#endif
#if defined ENDS_BY_EXIT
    exit(0);
#elif defined ENDS_AT_ONCE
    _exit(0);
#endif
    return 0;
}
