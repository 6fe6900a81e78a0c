// Cherokee's log writer, in essence: the writer flushes the shared buffer and then empties it; an entry that
// arrives in between is never written.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int buffered = 1, written;

static void *flush(void *unused) {
    written += buffered;
    buffered = 0;
    return unused;
}

static void *log_entry(void *unused) {
    buffered++;
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, flush, NULL);
    pthread_create(&t2, NULL, log_entry, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    written += buffered;
    assert(written == 2);
    return 0;
}
