// Two threads share a buffer, and one jumps to where the other was.
#include <pthread.h>
#include <setjmp.h>

static jmp_buf env;

static void *other(void *unused) {
    longjmp(env, 1); // fault: Misuse a longjmp to a place that is none
}

int main(void) {
    pthread_t thread;
    if (setjmp(env))
        return 1;
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
}
