// exit 1: DATA RACE
// strtol says in one place for two threads where a number ended.
#include <pthread.h>
#include <stdlib.h>

static char *end;

static void *number(void *text) { return (void *)strtol(text, &end, 10); }

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, number, "1");
    pthread_create(&b, NULL, number, "22");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
