// exit 1: DATA RACE
// A length that nobody uses is read while another thread writes: `strlen` is declared to have no effects, and is still an access.
#include <pthread.h>
#include <string.h>

static char text[8] = "abc";

static void *writer(void *unused) {
    text[1] = 'x';
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    strlen(text);
    pthread_join(thread, 0);
}
