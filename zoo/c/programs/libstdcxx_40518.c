// GCC bug 40518, in essence: the one empty string that all empty strings share is written to whenever one of
// them is made, first without and then with its final byte.
#include <assert.h>
#include <pthread.h>

static struct {
    int length;
    char end;
} empty_rep;

static void *make_empty(void *unused) {
    empty_rep.end = '?'; // the copy of the last character
    empty_rep.length = 0;
    empty_rep.end = '\0';
    return unused;
}

static void *use_empty(void *unused) {
    char end = empty_rep.end;
    assert(end == '\0');
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, make_empty, NULL);
    pthread_create(&t2, NULL, use_empty, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
