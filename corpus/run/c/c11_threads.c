// C11's threads.h: threads, mutexes of each kind, conditions, values of threads, things done once.
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t lock, again;
static cnd_t changed;
static tss_t slot;
static once_flag once = ONCE_FLAG_INIT;
static int total, ready, made, freed;
static thread_local int own;

static void make(void) { made++; }
static void forget(void *value) {
    mtx_lock(&lock);
    freed += *(int *)value;
    mtx_unlock(&lock);
}

static int work(void *argument) {
    int n = *(int *)argument;
    call_once(&once, make);
    own += n;
    tss_set(slot, argument);
    mtx_lock(&again);
    mtx_lock(&again);
    total += own;
    mtx_unlock(&again);
    mtx_unlock(&again);
    mtx_lock(&lock);
    ready++;
    cnd_broadcast(&changed);
    mtx_unlock(&lock);
    thrd_yield();
    if (*(int *)tss_get(slot) != n) thrd_exit(-1);
    return n * 10;
}

int main(void) {
    int numbers[3] = {1, 2, 3}, sum = 0, result;
    thrd_t threads[3];
    if (mtx_init(&lock, mtx_timed) != thrd_success) return 1;
    if (mtx_init(&again, mtx_plain | mtx_recursive) != thrd_success) return 2;
    if (cnd_init(&changed) != thrd_success) return 3;
    if (tss_create(&slot, forget) != thrd_success) return 4;
    for (int i = 0; i < 3; i++)
        if (thrd_create(&threads[i], work, &numbers[i]) != thrd_success) return 5;
    mtx_lock(&lock);
    while (ready < 3) cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
    for (int i = 0; i < 3; i++) {
        if (thrd_join(threads[i], &result) != thrd_success) return 6;
        sum += result;
    }
    struct timespec soon;
    timespec_get(&soon, TIME_UTC);
    mtx_lock(&lock);
    int waited = cnd_timedwait(&changed, &lock, &soon);
    mtx_unlock(&lock);
    int held = mtx_trylock(&lock);
    mtx_unlock(&lock);
    int timed = mtx_timedlock(&lock, &soon);
    mtx_unlock(&lock);
    thrd_sleep(&(struct timespec){.tv_nsec = 1}, 0);
    printf("sum %d total %d made %d freed %d own %d\n", sum, total, made, freed, own);
    printf("waited %d held %d timed %d self %d\n", waited == thrd_timedout, held == thrd_success, timed == thrd_success,
           thrd_equal(thrd_current(), thrd_current()) != 0);
    cnd_signal(&changed);
    cnd_destroy(&changed);
    mtx_destroy(&again);
    mtx_destroy(&lock);
    tss_delete(slot);
    return 0;
}
