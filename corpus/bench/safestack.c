// Dmitry Vyukov's SafeStack: a stack of indices whose pop claims an element before it takes it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ITEMS 3
#define THREADS 3

static struct { atomic_int next; int value; } item[ITEMS];
static atomic_int head, count;

static int pop(void) {
    while (atomic_load(&count) > 1) {
        int top = atomic_load(&head);
        int next = atomic_exchange(&item[top].next, -1);
        if (next >= 0) {
            int expected = top;
            if (atomic_compare_exchange_strong(&head, &expected, next)) {
                atomic_fetch_sub(&count, 1);
                return top;
            }
            atomic_exchange(&item[top].next, next);
        }
    }
    return -1;
}

static void push(int index) {
    int top = atomic_load(&head);
    do {
        atomic_store(&item[index].next, top);
    } while (!atomic_compare_exchange_strong(&head, &top, index));
    atomic_fetch_add(&count, 1);
}

static void *work(void *arg) {
    int me = (int)(long)arg;
    for (int i = 0; i < 2; i++) {
        int mine;
        while ((mine = pop()) < 0)
            ;
        item[mine].value = me;
        assert(item[mine].value == me);
        push(mine);
    }
    return 0;
}

int main(void) {
    atomic_init(&count, ITEMS);
    for (int i = 0; i < ITEMS - 1; i++)
        atomic_init(&item[i].next, i + 1);
    atomic_init(&item[ITEMS - 1].next, -1);
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
}
