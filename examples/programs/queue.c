/* A plain program whose functions are the operations of a queue. Its threads are the client; what they pass and get is recorded.
 *
 *     linspect test examples/programs/queue.c --ops enqueue,dequeue --spec queue
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct {
    int items[8];
    atomic_int head, tail;
} queue;

static void enqueue(queue *q, int value) {
    int at = atomic_fetch_add(&q->tail, 1);
    q->items[at] = value; /* too late: dequeue may have looked already */
}

static bool dequeue(queue *q, int *value) {
    int at = atomic_load(&q->head);
    do {
        if (at == atomic_load(&q->tail))
            return false;
    } while (!atomic_compare_exchange_weak(&q->head, &at, at + 1));
    *value = q->items[at];
    return true;
}

static queue shared;

static void *put(void *unused) {
    enqueue(&shared, 7);
    return unused;
}

int main(void) {
    pthread_t thread;
    int value;
    pthread_create(&thread, 0, put, 0);
    dequeue(&shared, &value);
    pthread_join(thread, 0);
}
