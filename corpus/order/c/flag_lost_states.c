// exit 1: LIVELOCK
// options: --strategy states
// Where both threads find 0 the flag stays 1: who waits for 3 goes round for ever, and changes something in every round.
#include <pthread.h>
#include <stdatomic.h>
atomic_int turns, flag;
static void *set(void *p) {
    if (atomic_load(&flag) == 0)
        atomic_store(&flag, 1);
    else
        atomic_store(&flag, 3);
    return p;
}
static void *wait_for_both(void *p) {
    while (atomic_load(&flag) != 3)
        atomic_fetch_xor(&turns, 1);
    return p;
}
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, set, 0);
    pthread_create(&b, 0, set, 0);
    pthread_create(&c, 0, wait_for_both, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
}
