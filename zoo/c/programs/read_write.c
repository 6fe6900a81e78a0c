// A read-write lock made of two counters that lets a writer in if it sees no reader, without holding the door.
#include <assert.h>
#include <pthread.h>

static int readers, writers;
static int x, y;

static void *write_both(void *unused) {
    if (readers == 0 && writers == 0) {
        writers = 1;
        x = 3;
        y = 3;
        writers = 0;
    }
    return unused;
}

static void *read_both(void *unused) {
    if (writers == 0) {
        readers++;
        int seen_x = x;
        int seen_y = y;
        readers--;
        assert(seen_x == seen_y);
    }
    return unused;
}

int main(void) {
    pthread_t writer, reader;
    pthread_create(&writer, NULL, write_both, NULL);
    pthread_create(&reader, NULL, read_both, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return 0;
}
