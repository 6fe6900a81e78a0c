// exit 1: DATA RACE
// What is read while another thread writes it is not used.
#include <pthread.h>

static int shared;

static void *writer(void *unused) {
    shared = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int unused = shared;
    pthread_join(thread, 0);
}
