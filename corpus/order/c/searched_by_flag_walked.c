// exit 1: ASSERTION FAILED
// How far a search has come is known to nobody but the search: its comparison looks at neither of the two numbers.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int flag;
static const int numbers[7];
static int by_flag(const void *a, const void *b) {
    (void)a, (void)b;
    return atomic_load(&flag) ? 0 : 1;
}
static void *set(void *p) {
    atomic_store(&flag, 1);
    return p;
}
int main(void) {
    int key = 0;
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    const int *found = bsearch(&key, numbers, 7, sizeof key, by_flag);
    pthread_join(t, 0);
    assert(found != &numbers[6]);
}
