// exit 3: UNDECIDED
// options: --strategy states
// The process ends when main returns, whatever the detached thread does: it is no livelock. But the end is put off for as long as others can go on, so nothing is said of it.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int stop, beat;
static void *daemon(void *p) {
    while (!atomic_load(&stop))
        atomic_fetch_xor(&beat, 1);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, daemon, 0);
    pthread_detach(t);
    return atomic_load(&beat);
}
