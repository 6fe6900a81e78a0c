// exit 0: FREE OF FAULTS
// Atomics for which compilers call the library: 12 bytes in 16, which are loaded by being copied, and 24 bytes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct head {
    int *node;
    unsigned tag;
};
struct three {
    long a, b, c;
};

static _Atomic struct head head;
static _Atomic struct three three;
static int node;

static void *worker(void *unused) {
    struct head old = head, new;
    do {
        new = old;
        new.node = &node;
        new.tag = old.tag + 1;
    } while (!atomic_compare_exchange_strong(&head, &old, new));
    struct three seen = three, next;
    do {
        assert(seen.a == seen.b && seen.b == seen.c);
        next = (struct three){seen.a + 1, seen.b + 1, seen.c + 1};
    } while (!atomic_compare_exchange_strong(&three, &seen, next));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    struct head end = head;
    assert(end.tag == 2 && end.node == &node);
    struct three sum = three;
    assert(sum.a == 2 && sum.c == 2);
    three = (struct three){7, 7, 7};
    struct three eight = {8, 8, 8}, before = atomic_exchange(&three, eight);
    assert(before.b == 7);
}
