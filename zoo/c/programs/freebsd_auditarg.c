// FreeBSD's system call auditing, in essence: the record is marked valid whether or not its argument was
// filled in. Fails in every order of the threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int argument;
static atomic_bool valid;

static void *record(void *unused) {
    int descriptor = -1; // the call failed
    if (descriptor >= 0)
        argument = descriptor;
    valid = true;
    return unused;
}

static void *other_call(void *unused) { return unused; }

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, record, NULL);
    pthread_create(&t2, NULL, other_call, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(!valid || argument > 0);
    return 0;
}
