// exit 1: NULL
// An address that is only read for nothing.
#include <pthread.h>
#include <stdatomic.h>

struct node { int value : 3; struct node *next; };
static struct node one = {1, 0};
static _Atomic(struct node *) shared = &one;

static void *worker(void *unused) {
    atomic_store(&shared, 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    (void)atomic_load(&shared)->next;
    pthread_join(thread, 0);
}
