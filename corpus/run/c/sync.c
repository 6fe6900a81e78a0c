// Condition variable, rwlock, semaphore, barrier, once, keys, spin lock, recursive mutex, C11 threads.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static pthread_key_t key;
static sem_t items;
static atomic_int destroyed, flag, inits;
static int queue[16], head, tail, shared, spun;

static void init(void) { inits++; }
static void destroy(void *value) { destroyed += *(int *)value; free(value); }

static void *consumer(void *arg) {
    pthread_once(&once, init);
    int *mine = malloc(sizeof *mine);
    *mine = 1;
    pthread_setspecific(key, mine);
    long sum = 0;
    for (int i = 0; i < 3; i++) {
        sem_wait(&items);
        pthread_mutex_lock(&lock);
        sum += queue[tail++];
        pthread_mutex_unlock(&lock);
    }
    pthread_barrier_wait(&barrier);
    pthread_rwlock_rdlock(&table);
    sum += shared;
    pthread_rwlock_unlock(&table);
    pthread_spin_lock(&spin);
    spun++;
    pthread_spin_unlock(&spin);
    pthread_mutex_lock(&lock);
    while (!flag)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return (void *)sum;
}

static mtx_t plain;
static cnd_t ready;
static int turn;

static int player(void *arg) {
    int me = *(int *)arg;
    for (int i = 0; i < 2; i++) {
        mtx_lock(&plain);
        while (turn != me)
            cnd_wait(&ready, &plain);
        turn = 1 - me;
        cnd_broadcast(&ready);
        mtx_unlock(&plain);
    }
    return 10 + me;
}

int main(void) {
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_spin_init(&spin, 0);
    pthread_key_create(&key, destroy);
    sem_init(&items, 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, consumer, NULL);
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&lock);
        queue[head++] = i + 1;
        pthread_mutex_unlock(&lock);
        sem_post(&items);
    }
    pthread_rwlock_wrlock(&table);
    shared = 100;
    pthread_rwlock_unlock(&table);
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&lock);
    flag = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    long sum = 0;
    for (int i = 0; i < 2; i++) {
        void *result;
        pthread_join(threads[i], &result);
        sum += (long)result;
    }
    printf("%ld %d %d %d\n", sum, spun, destroyed, inits);

    pthread_mutexattr_t attr;
    pthread_mutex_t again;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&again, &attr);
    pthread_mutex_lock(&again);
    printf("%d", pthread_mutex_lock(&again));
    printf("%d", pthread_mutex_unlock(&again));
    printf("%d", pthread_mutex_unlock(&again));
    printf(" %d", pthread_mutex_trylock(&again));
    pthread_mutex_unlock(&again);

    mtx_init(&plain, mtx_plain);
    cnd_init(&ready);
    thrd_t players[2];
    int ids[2] = {0, 1}, results[2];
    for (int i = 0; i < 2; i++)
        thrd_create(&players[i], player, &ids[i]);
    for (int i = 0; i < 2; i++)
        thrd_join(players[i], &results[i]);
    printf(" %d %d %d\n", results[0], results[1], turn);
    return 0;
}
