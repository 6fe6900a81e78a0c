// exit 0: FREE OF FAULTS
// A thread is joined by another one than started it, and what it wrote is there.
#include <assert.h>
#include <pthread.h>

static pthread_t first;
static int data;

static void *writer(void *unused) {
    data = 1;
    return unused;
}

static void *joiner(void *unused) {
    pthread_join(first, 0);
    assert(data == 1);
    return unused;
}

int main(void) {
    pthread_t second;
    pthread_create(&first, 0, writer, 0);
    pthread_create(&second, 0, joiner, 0);
    pthread_join(second, 0);
    assert(data == 1);
}
