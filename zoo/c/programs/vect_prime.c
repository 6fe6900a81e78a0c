// Two threads search for primes and append them to one vector, taking the index in one step and moving it in
// another.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static int primes[8];
static int count;

static bool is_prime(int n) {
    for (int d = 2; d * d <= n; d++)
        if (n % d == 0)
            return false;
    return n > 1;
}

static void *search(void *range) {
    int from = ((int *)range)[0], to = ((int *)range)[1];
    for (int n = from; n < to; n++) {
        if (is_prime(n)) {
            int at = count;
            primes[at] = n;
            count = at + 1;
        }
    }
    return NULL;
}

int main(void) {
    int low[] = {2, 4}, high[] = {4, 6};
    pthread_t t1, t2;
    pthread_create(&t1, NULL, search, low);
    pthread_create(&t2, NULL, search, high);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(count == 3);
    return 0;
}
