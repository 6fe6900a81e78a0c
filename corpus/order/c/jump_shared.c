// exit 1: DATA RACE
// Two threads note where they are in one buffer.
#include <pthread.h>
#include <setjmp.h>

static jmp_buf place;

static void *notes(void *unused) { return setjmp(place) ? NULL : unused; }

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, notes, NULL);
    pthread_create(&b, NULL, notes, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
