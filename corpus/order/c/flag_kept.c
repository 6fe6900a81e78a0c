// exit 0: FREE OF FAULTS
// The flag is counted, so it is 3 when both have come; who waits goes round until then.
#include <pthread.h>
#include <stdatomic.h>
atomic_int turns, flag;
static void *set(void *p) {
    int found = 0;
    if (!atomic_compare_exchange_strong(&flag, &found, 1))
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
