// exit 1: LIVELOCK
// Neither thread ever ends, and each changes something in every round, so that no state looks like one that waits.
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, done;
static void *a(void *p) { while (!atomic_load(&done)) atomic_fetch_xor(&x, 1); return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, a, 0); pthread_create(&u, 0, a, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; }
