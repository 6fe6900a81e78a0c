// MySQL bug 3596, ha_innodb.cc, in essence: one thread looks whether there is a text and prints it, another
// takes the text away between the two.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static const char *volatile proc_info = "running";

static void *show_status(void *unused) {
    if (proc_info) {
        const char *text = proc_info;
        assert(text);
    }
    return unused;
}

static void *finish_query(void *unused) {
    proc_info = NULL;
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, show_status, NULL);
    pthread_create(&t2, NULL, finish_query, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
