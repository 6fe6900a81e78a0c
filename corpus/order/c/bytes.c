// exit 1: ASSERTION
// A pointer is published byte by byte.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static unsigned char letter[sizeof(atomic_int *)];
static atomic_int sent;

static void *worker(void *unused) {
    atomic_int *cell = malloc(sizeof *cell);
    atomic_init(cell, 0);
    unsigned char bytes[sizeof cell];
    memcpy(bytes, &cell, sizeof cell);
    for (unsigned i = 0; i < sizeof cell; i++) letter[i] = bytes[i] ^ 0x11;
    atomic_store(&sent, 1);
    atomic_store(cell, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    if (atomic_load(&sent)) {
        atomic_int *cell;
        unsigned char bytes[sizeof cell];
        for (unsigned i = 0; i < sizeof cell; i++) bytes[i] = letter[i] ^ 0x11;
        memcpy(&cell, bytes, sizeof cell);
        assert(atomic_load(cell) == 1);
    }
    pthread_join(thread, 0);
}
