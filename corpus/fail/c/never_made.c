// A lock in memory that nobody has written.
#include <pthread.h>
#include <stdlib.h>

struct box {
    pthread_mutex_t lock;
    int value;
};

int main(void) {
    struct box *box = malloc(sizeof *box);
    pthread_mutex_lock(&box->lock); // fault: Misuse never initialised
    box->value = 1;
    pthread_mutex_unlock(&box->lock);
    free(box);
    return 0;
}
