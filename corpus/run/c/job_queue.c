// C11 threads: a work queue with a condition, thread-specific storage, once.
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
typedef struct Job {
    struct Job *next;
    int n;
} Job;
static Job *head;
static int closed;
static mtx_t lock;
static cnd_t more;
static tss_t scratch;
static once_flag once = ONCE_FLAG_INIT;
static thread_local int mine;
static atomic_long total;
static void setup(void) { tss_create(&scratch, free); }
static int worker(void *arg) {
    call_once(&once, setup);
    tss_set(scratch, calloc(1, sizeof(int)));
    for (;;) {
        mtx_lock(&lock);
        while (!head && !closed) cnd_wait(&more, &lock);
        Job *j = head;
        if (j) head = j->next;
        mtx_unlock(&lock);
        if (!j) break;
        *(int *)tss_get(scratch) += j->n;
        mine++;
        free(j);
    }
    atomic_fetch_add(&total, *(int *)tss_get(scratch));
    return (int)(size_t)arg;
}
int main(void) {
    mtx_init(&lock, mtx_plain | mtx_timed);
    cnd_init(&more);
    thrd_t t[3];
    for (size_t i = 0; i < 3; i++) thrd_create(&t[i], worker, (void *)(i + 10));
    for (int i = 1; i <= 10; i++) {
        Job *j = malloc(sizeof *j);
        j->n = i;
        mtx_lock(&lock);
        j->next = head;
        head = j;
        cnd_signal(&more);
        mtx_unlock(&lock);
    }
    mtx_lock(&lock);
    closed = 1;
    cnd_broadcast(&more);
    mtx_unlock(&lock);
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int r;
        thrd_join(t[i], &r);
        sum += r;
    }
    struct timespec d = {0, 1000};
    thrd_sleep(&d, NULL);
    thrd_yield();
    printf("%ld %d %d %d\n", (long)total, sum, mine, thrd_equal(thrd_current(), thrd_current()) != 0);
    if (mtx_trylock(&lock) == thrd_success) {
        puts("got it");
        mtx_unlock(&lock);
    }
    cnd_destroy(&more);
    mtx_destroy(&lock);
    tss_delete(scratch);
    return 0;
}
