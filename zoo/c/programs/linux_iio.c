// A sensor driver in the manner of Linux's iio: the trigger is enabled before the buffer that its handler fills
// has been set up.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static volatile bool trigger_enabled;
static volatile int buffer_length;

static void *enable(void *unused) {
    trigger_enabled = true;
    buffer_length = 8;
    return unused;
}

static void *interrupt(void *unused) {
    if (trigger_enabled) {
        int room = buffer_length;
        assert(room > 0);
    }
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, enable, NULL);
    pthread_create(&t2, NULL, interrupt, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
