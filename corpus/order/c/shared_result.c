// exit 1: DATA RACE
// pthread_join writes a result where another thread looks.
#include <pthread.h>

static void *result;

static void *gives(void *unused) { return &result; }
static void *looks(void *unused) { return result; }

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, gives, NULL);
    pthread_create(&b, NULL, looks, NULL);
    pthread_join(a, &result);
    pthread_join(b, NULL);
}
