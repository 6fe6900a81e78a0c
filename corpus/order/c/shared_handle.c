// exit 1: DATA RACE
// pthread_create writes a handle while another thread looks whether it is there.
#include <pthread.h>

static pthread_t second;

static void *rests(void *unused) { return unused; }

static void *looks(void *unused) {
    if (second)
        pthread_equal(second, pthread_self());
    return unused;
}

int main(void) {
    pthread_t first;
    pthread_create(&first, NULL, looks, NULL);
    pthread_create(&second, NULL, rests, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}
