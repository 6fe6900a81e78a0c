// What synchronises without being an atomic: threads hand over relaxed atomics by it, so nothing races, and old values are seen unless it orders them.
#include <linspect.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

#define SET(CELL, VALUE) atomic_store_explicit(&CELL, VALUE, memory_order_relaxed)
#define GET(CELL) atomic_load_explicit(&CELL, memory_order_relaxed)

static atomic_int x, y, ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static sem_t semaphore;
static atomic_int *_Atomic shared;

LINSPECT_SETUP {
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&semaphore, 0, 0);
}

static int unsynchronised_write(void) {
    SET(x, 1);
    SET(y, 1);
    return 0;
}

static int unsynchronised_read(void) {
    int a = GET(y);
    return 10 * a + GET(x);
}

static int mutex_write(void) {
    pthread_mutex_lock(&mutex);
    unsynchronised_write();
    pthread_mutex_unlock(&mutex);
    return 0;
}

static int mutex_read(void) {
    pthread_mutex_lock(&mutex);
    int both = unsynchronised_read();
    pthread_mutex_unlock(&mutex);
    return both;
}

static int rwlock_write(void) {
    pthread_rwlock_wrlock(&lock);
    unsynchronised_write();
    pthread_rwlock_unlock(&lock);
    return 0;
}

static int rwlock_read(void) {
    pthread_rwlock_rdlock(&lock);
    int both = unsynchronised_read();
    pthread_rwlock_unlock(&lock);
    return both;
}

static int semaphore_give(void) {
    SET(x, 1);
    sem_post(&semaphore);
    return 0;
}

static int semaphore_take(void) {
    sem_wait(&semaphore);
    return GET(x);
}

static int barrier_first(void) {
    SET(x, 1);
    pthread_barrier_wait(&barrier);
    return GET(y);
}

static int barrier_second(void) {
    SET(y, 1);
    pthread_barrier_wait(&barrier);
    return GET(x);
}

static int condition_give(void) {
    pthread_mutex_lock(&mutex);
    SET(x, 1);
    SET(ready, 1);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return 0;
}

static int condition_take(void) {
    pthread_mutex_lock(&mutex);
    while (!GET(ready))
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return GET(x);
}

static void initialise(void) { SET(x, 1); }

static int once_run(void) {
    pthread_once(&once, initialise);
    return GET(x);
}

static void *child(void *unused) {
    int seen = GET(x);
    SET(y, 2);
    (void)unused;
    return (void *)(long)seen;
}

// Returns 12: the child sees 1, and its parent sees 2.
static int spawn_and_join(void) {
    pthread_t thread;
    void *seen;
    SET(x, 1);
    pthread_create(&thread, NULL, child, NULL);
    pthread_join(thread, &seen);
    return 10 * (int)(long)seen + GET(y);
}

static int weak_exchange(void) {
    int expected = 0;
    int done = atomic_compare_exchange_weak(&x, &expected, 1);
    return 10 * done + GET(x);
}

static int strong_exchange(void) {
    int expected = 0;
    int done = atomic_compare_exchange_strong(&x, &expected, 1);
    return 10 * done + GET(x);
}

// Adds one; how often the exchange failed is forgotten.
#define ADD(name, exchange)                                  \
    static int name(void) {                                  \
        int seen = GET(x);                                   \
        while (!exchange(&x, &seen, seen + 1))               \
            ;                                                \
        return seen;                                         \
    }
ADD(add_weakly, atomic_compare_exchange_weak)
ADD(add_strongly, atomic_compare_exchange_strong)

// Says how often it failed.
static int count_failures(void) {
    int failures = 0;
    for (int seen = 0; !atomic_compare_exchange_weak(&x, &seen, 1); seen = 0)
        failures++;
    return failures;
}

// The same address, another life: nothing of the first is left.
static int reuse(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        atomic_int *p = malloc(sizeof *p);
        atomic_init(p, 10 * i);
        atomic_store(&shared, p);
        atomic_fetch_add_explicit(p, 1, memory_order_relaxed);
        sum += GET(*p);
        atomic_store(&shared, NULL);
        free(p);
    }
    return sum;
}

// The same with local variables.
static int local(int start) {
    atomic_int cell = start;
    atomic_fetch_add_explicit(&cell, 1, memory_order_relaxed);
    return GET(cell);
}

static int locals(void) { return local(10) + local(20) + local(30); }

// Bytes that are written in one piece, and read in parts by who comes after it.
static union {
    atomic_long whole;
    atomic_int half[2];
} mixed;

static int mixed_sizes(void) {
    atomic_store_explicit(&mixed.whole, 5 + (7L << 32), memory_order_relaxed);
    int sum = GET(mixed.half[0]) + 10 * GET(mixed.half[1]);
    SET(mixed.half[1], 8);
    return sum + (int)(GET(mixed.whole) >> 32);
}

LINSPECT_OP_RET(int, unsynchronised_0, unsynchronised_write())
LINSPECT_OP_RET(int, unsynchronised_1, unsynchronised_read())
LINSPECT_OP_RET(int, mutex_0, mutex_write())
LINSPECT_OP_RET(int, mutex_1, mutex_read())
LINSPECT_OP_RET(int, rwlock_0, rwlock_write())
LINSPECT_OP_RET(int, rwlock_1, rwlock_read())
LINSPECT_OP_RET(int, semaphore_0, semaphore_give())
LINSPECT_OP_RET(int, semaphore_1, semaphore_take())
LINSPECT_OP_RET(int, barrier_0, barrier_first())
LINSPECT_OP_RET(int, barrier_1, barrier_second())
LINSPECT_OP_RET(int, condition_0, condition_give())
LINSPECT_OP_RET(int, condition_1, condition_take())
LINSPECT_OP_RET(int, once_0, once_run())
LINSPECT_OP_RET(int, once_1, once_run())
LINSPECT_OP_RET(int, spawn_0, spawn_and_join())
LINSPECT_OP_RET(int, weak_0, weak_exchange())
LINSPECT_OP_RET(int, strong_0, strong_exchange())
LINSPECT_OP_RET(int, add_weakly_0, add_weakly())
LINSPECT_OP_RET(int, add_weakly_1, add_weakly())
LINSPECT_OP_RET(int, add_strongly_0, add_strongly())
LINSPECT_OP_RET(int, add_strongly_1, add_strongly())
LINSPECT_OP_RET(int, count_failures_0, count_failures())
LINSPECT_OP_RET(int, reuse_0, reuse())
LINSPECT_OP_RET(int, locals_0, locals())
LINSPECT_OP_RET(int, mixed_0, mixed_sizes())
