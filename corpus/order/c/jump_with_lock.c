// exit 1: DEADLOCK
// An error leaves by longjmp, and the lock stays taken; that happens only where the other thread was first.
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread jmp_buf failed;
static int count;

static void add(int more) {
    pthread_mutex_lock(&lock);
    if (count + more > 2)
        longjmp(failed, 1);
    count += more;
    pthread_mutex_unlock(&lock);
}

static void *adds(void *more) {
    if (setjmp(failed) == 0) {
        add(*(int *)more);
        add(1);
    }
    return NULL;
}

int main(void) {
    int one = 1, two = 2;
    pthread_t a, b;
    pthread_create(&a, NULL, adds, &one);
    pthread_create(&b, NULL, adds, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
