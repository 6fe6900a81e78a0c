// MySQL's binary log (bug 791), in essence: changing to a new log file closes the log and opens it again; a
// statement in between finds the log closed and is not logged.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool log_open = true;
static atomic_int executed, logged;

static void *rotate(void *unused) {
    log_open = false;
    log_open = true;
    return unused;
}

static void *execute(void *unused) {
    executed++;
    if (log_open)
        logged++;
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, rotate, NULL);
    pthread_create(&t2, NULL, execute, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(logged == executed);
    return 0;
}
