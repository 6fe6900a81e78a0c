// Threads, a mutex, atomics, a heap, printf: the result does not depend on the schedule.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int hits;
static int total;

struct job {
    int from, to;
    char name[16];
};

static void *work(void *arg) {
    struct job *job = arg;
    int sum = 0;
    for (int i = job->from; i < job->to; i++)
        sum += i * i;
    atomic_fetch_add(&hits, 1);
    pthread_mutex_lock(&lock);
    total += sum;
    pthread_mutex_unlock(&lock);
    return (void *)(long)sum;
}

int main(void) {
    pthread_t threads[3];
    struct job jobs[3];
    for (int i = 0; i < 3; i++) {
        jobs[i].from = i * 10;
        jobs[i].to = i * 10 + 10;
        snprintf(jobs[i].name, sizeof jobs[i].name, "job-%d", i);
        assert(pthread_create(&threads[i], NULL, work, &jobs[i]) == 0);
    }
    long sum = 0;
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(threads[i], &result);
        printf("%s: %ld\n", jobs[i].name, (long)result);
        sum += (long)result;
    }
    int *copy = malloc(sizeof *copy);
    *copy = total;
    printf("hits %d total %d %s\n", atomic_load(&hits), *copy, *copy == sum ? "equal" : "different");
    free(copy);
    return total % 100;
}
