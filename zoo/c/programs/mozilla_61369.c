// Mozilla bug 61369, nsThread.cpp, in essence: a new thread uses the handle that its creator stores only after
// the thread was created.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(const char *) thread_handle;

static void *thread_main(void *unused) {
    const char *self = thread_handle;
    assert(self);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, thread_main, NULL);
    thread_handle = "worker";
    pthread_join(thread, NULL);
    return 0;
}
