// A message is announced by a flag that is not atomic.
#include <pthread.h>
#include <stdbool.h>

static int message;
static bool ready;

static void *send(void *unused) {
    message = 42;
    ready = true;
    return unused;
}

int main(void) {
    pthread_t sender;
    pthread_create(&sender, NULL, send, NULL);
    int seen = ready ? message : 42;
    pthread_join(sender, NULL);
    return seen - 42;
}
