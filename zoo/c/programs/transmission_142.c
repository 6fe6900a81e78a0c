// Transmission 1.42, in essence: the event thread uses the session's bandwidth before the start-up code has
// made it.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

typedef struct {
    int magic;
} bandwidth_t;

static bandwidth_t the_bandwidth = {43143};
static bandwidth_t *volatile bandwidth;

static void *event_loop(void *unused) {
    bandwidth_t *used = bandwidth;
    assert(used && used->magic == 43143);
    return unused;
}

static void *start_session(void *unused) {
    bandwidth = &the_bandwidth;
    return unused;
}

int main(void) {
    pthread_t events, start;
    pthread_create(&start, NULL, start_session, NULL);
    pthread_create(&events, NULL, event_loop, NULL);
    pthread_join(events, NULL);
    pthread_join(start, NULL);
    return 0;
}
