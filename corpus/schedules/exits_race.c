/* Two threads end the process, one of them after it has seen the other's store: whoever comes first decides. No run is wrong, and all end. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int stored;

static void *leave(void *unused) {
    (void)unused;
    atomic_store(&stored, 1);
    exit(0);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, leave, 0);
    if (atomic_load(&stored))
        exit(0);
    pthread_join(thread, 0);
    return 0;
}
