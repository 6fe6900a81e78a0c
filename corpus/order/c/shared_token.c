// exit 1: USE AFTER FREE
// strtok keeps where it was in one place for all threads.
#include <pthread.h>
#include <string.h>

static void *words(void *text) {
    char copy[8];
    strcpy(copy, text);
    for (char *word = strtok(copy, ","); word; word = strtok(NULL, ","))
        ;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, words, "a,b");
    pthread_create(&b, NULL, words, "c,d");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
