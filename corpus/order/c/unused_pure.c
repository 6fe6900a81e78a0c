// exit 1: DATA RACE
// A function without effects is called for nothing, and reads what another thread writes.
#include <pthread.h>

static int shared;

__attribute__((pure)) static int look(void) { return shared; }

static void *writer(void *unused) {
    shared = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    look();
    pthread_join(thread, 0);
}
