// deadlock: 2
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static void *wait(void *arg) {
    while (!atomic_load(&flag))
        ;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, wait, 0);
    pthread_join(t, 0);
}
