// A network driver in the manner of Linux's tg3: closing the device frees the ring while the interrupt handler,
// which asked earlier whether the device is up, is still working with it.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define RING 4

static volatile bool up = true;
static volatile bool ring_exists = true;
static int ring[RING];
static int received;

static void *interrupt(void *unused) {
    if (up) {
        for (int i = 0; i < RING; i++) {
            assert(ring_exists);
            received += ring[i];
        }
    }
    return unused;
}

static void *close_device(void *unused) {
    up = false;
    ring_exists = false;
    return unused;
}

int main(void) {
    for (int i = 0; i < RING; i++)
        ring[i] = i;
    pthread_t t1, t2;
    pthread_create(&t1, NULL, interrupt, NULL);
    pthread_create(&t2, NULL, close_device, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
