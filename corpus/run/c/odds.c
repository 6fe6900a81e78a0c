// Functions of the C library that keep something between two calls or call back, and what threads say about being cancelled.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int by(const void *a, const void *b, void *sign) { return *(int *)sign * (*(const int *)a / 10 - *(const int *)b / 10); }
static int same(const void *a, const void *b) { return *(const int *)a != *(const int *)b; }

static void *words(void *unused) {
    int state = 7, type = 7;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    pthread_testcancel();
    printf("%d %d\n", state == PTHREAD_CANCEL_ENABLE, type == PTHREAD_CANCEL_DEFERRED);
    char text[] = ",,to be,or not ,to";
    for (char *word = strtok(text, " ,"); word; word = strtok(NULL, " ,"))
        printf("<%s>", word);
    printf("%d\n", strtok(NULL, ",") == NULL);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, words, NULL);
    pthread_join(thread, NULL);
    int numbers[] = {31, 10, 22, 13, 35, 11}, sign = 1, key = 13, none = 14;
    qsort_r(numbers, 6, sizeof *numbers, by, &sign);
    for (int i = 0; i < 6; i++)
        printf("%d ", numbers[i]);
    sign = -1;
    qsort_r(numbers, 6, sizeof *numbers, by, &sign);
    for (int i = 0; i < 6; i++)
        printf("%d ", numbers[i]);
    qsort_r(numbers, 0, sizeof *numbers, by, &sign);
    size_t count = 6;
    printf("%d\n", (int)((int *)lfind(&key, numbers, &count, sizeof *numbers, same) - numbers));
    printf("%d\n", lfind(&none, numbers, &count, sizeof *numbers, same) == NULL);
    double drawn = drand48();
    printf("%d\n", drawn >= 0 && drawn < 1);
    char room[64], swapped[5] = "";
    printf("%s\n", strerror_r(EAGAIN, room, sizeof room));
    swab("abcd", swapped, 4);
    double sine, cosine;
    sincos(0.0, &sine, &cosine);
    printf("%s %g %g\n", swapped, sine, cosine);
    char *line = NULL;
    size_t size = 0;
    printf("%d %ld\n", fgets(room, sizeof room, stdin) == NULL, (long)getline(&line, &size, stdin));
}
