// exit 1: USE AFTER FREE
// Memory that is given back to the system is gone.
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

static _Atomic(atomic_int *) shared;

static void *worker(void *unused) {
    munmap(atomic_load(&shared), 4096);
    return unused;
}

int main(void) {
    void *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    atomic_store(&shared, page);
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_load(atomic_load(&shared));
    pthread_join(thread, 0);
}
