// What POSIX has beside mutexes: once, keys, semaphores, barriers, read-write and spin locks, scheduling, attributes.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t slots, items;
static pthread_barrier_t barrier;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static int made, destroyed, box[2], serial, sum;

static void destroy(void *value) { __atomic_fetch_add(&destroyed, *(int *)value, __ATOMIC_SEQ_CST); }
static void make(void) {
    made++;
    pthread_key_create(&key, destroy);
}

static void *consumer(void *number) {
    pthread_once(&once, make);
    if (pthread_getspecific(key)) return (void *)1;
    pthread_setspecific(key, number);
    while (sem_wait(&items) == EINTR) {}
    pthread_spin_lock(&spin);
    sum += box[0];
    pthread_spin_unlock(&spin);
    sem_post(&slots);
    pthread_rwlock_rdlock(&rw);
    int seen = sum > 0;
    pthread_rwlock_unlock(&rw);
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) __atomic_fetch_add(&serial, 1, __ATOMIC_SEQ_CST);
    sched_yield();
    return pthread_getspecific(key) == number && seen ? 0 : (void *)2;
}

int main(void) {
    int numbers[2] = {5, 7};
    pthread_t threads[2];
    pthread_attr_t attributes;
    sem_init(&slots, 0, 1);
    sem_init(&items, 0, 0);
    pthread_barrier_init(&barrier, 0, 3);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], &attributes, consumer, &numbers[i]);
    pthread_attr_destroy(&attributes);
    for (int i = 0; i < 2; i++) {
        sem_wait(&slots);
        pthread_rwlock_wrlock(&rw);
        box[0] = 10;
        pthread_rwlock_unlock(&rw);
        sem_post(&items);
    }
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) __atomic_fetch_add(&serial, 1, __ATOMIC_SEQ_CST);
    int failed = 0;
    for (int i = 0; i < 2; i++) {
        void *result;
        pthread_join(threads[i], &result);
        failed += result != 0;
    }
    int value, none, late;
    sem_wait(&slots);
    sem_getvalue(&slots, &value);
    none = sem_trywait(&slots) == -1 && errno == EAGAIN;
    struct timespec past = {0, 0};
    late = sem_timedwait(&slots, &past) == -1 && errno == ETIMEDOUT;
    printf("made %d destroyed %d serial %d sum %d failed %d\n", made, destroyed, serial, sum, failed);
    printf("value %d none %d late %d\n", value, none, late);
    printf("priorities %d %d policy %d\n", sched_get_priority_min(SCHED_FIFO), sched_get_priority_max(SCHED_FIFO), sched_getscheduler(0));
    cpu_set_t set;
    CPU_ZERO(&set);
    printf("affinity %d some %d cpu %d\n", sched_getaffinity(0, sizeof set, &set), CPU_COUNT(&set) > 0, sched_getcpu() >= 0);
    usleep(1);
    sem_destroy(&slots);
    sem_destroy(&items);
    pthread_barrier_destroy(&barrier);
    pthread_spin_destroy(&spin);
    pthread_rwlock_destroy(&rw);
    pthread_key_delete(key);
    return 0;
}
