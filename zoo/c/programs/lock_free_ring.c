// A ring buffer for one producer and one consumer whose producer announces an item before it has written it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2

static int items[SIZE];
static atomic_uint head, tail;

static void *produce(void *unused) {
    for (int item = 1; item <= 2; item++) {
        unsigned slot = atomic_fetch_add(&tail, 1);
        items[slot % SIZE] = item;
    }
    return unused;
}

static void *consume(void *unused) {
    for (int k = 0; k < 2; k++) {
        unsigned slot = atomic_load(&head);
        if (slot == atomic_load(&tail))
            continue;
        int item = items[slot % SIZE];
        atomic_store(&head, slot + 1);
        assert(item != 0);
    }
    return unused;
}

int main(void) {
    pthread_t producer, consumer;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    return 0;
}
