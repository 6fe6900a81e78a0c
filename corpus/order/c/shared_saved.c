// exit 1: USE AFTER FREE
// strtok_r keeps it where its caller says, which is in one place here, too.
#include <pthread.h>
#include <string.h>

static char *saved;

static void *words(void *text) {
    char copy[8];
    strcpy(copy, text);
    for (char *word = strtok_r(copy, ",", &saved); word; word = strtok_r(NULL, ",", &saved))
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
