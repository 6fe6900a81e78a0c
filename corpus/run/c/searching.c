// bsearch, and what pthread_cleanup_push and pop run.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void clean(void *count) { ++*(int *)count; }

static void *work(void *count) {
    pthread_cleanup_push(clean, count);
    pthread_cleanup_push(clean, count);
    *(int *)count += 10;
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    pthread_exit(count);
}

int main(void) {
    int sorted[] = {1, 3, 5, 7, 9, 11, 13};
    for (int key = 0; key < 15; key++) {
        int *found = bsearch(&key, sorted, 7, sizeof *sorted, compare);
        printf("%d ", found ? (int)(found - sorted) : -1);
    }
    printf("%d\n", bsearch(sorted, sorted, 0, sizeof *sorted, compare) == NULL);
    int count = 0;
    void *result;
    pthread_t thread;
    pthread_create(&thread, NULL, work, &count);
    pthread_join(thread, &result);
    printf("%d %d\n", count, result == &count);
}
