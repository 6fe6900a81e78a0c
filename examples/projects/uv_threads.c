// libuv's threads, locks, semaphores and barriers, as they are compiled in libuv_a.a.
#include <assert.h>
#include <uv.h>

static uv_mutex_t mutex;
static uv_sem_t slots;
static uv_barrier_t barrier;
static uv_once_t once = UV_ONCE_INIT;
static int made, sum;

static void make(void) { made++; }
static void work(void *number) {
    uv_once(&once, make);
    uv_sem_wait(&slots);
    uv_mutex_lock(&mutex);
    sum += *(int *)number;
    uv_mutex_unlock(&mutex);
    uv_sem_post(&slots);
    uv_barrier_wait(&barrier);
    assert(sum == 3 && made == 1);
}

int main(void) {
    int numbers[2] = {1, 2};
    uv_thread_t threads[2];
    if (uv_mutex_init(&mutex) || uv_sem_init(&slots, 1) || uv_barrier_init(&barrier, 2)) return 1;
    for (int i = 0; i < 2; i++)
        if (uv_thread_create(&threads[i], work, &numbers[i])) return 2;
    for (int i = 0; i < 2; i++) uv_thread_join(&threads[i]);
    assert(sum == 3);
    return 0;
}
