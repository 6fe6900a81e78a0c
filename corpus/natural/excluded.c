// verdict: undecided
/* No run is left in which the assumption holds, so nothing is known of the assertion. */
#include <linspect.h>
#include <pthread.h>
static int x;
static void *writer(void *unused) {
    x = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    pthread_join(thread, 0);
    linspect_assume(x == 2);
    linspect_assert(x == 3, "x is 3");
    return 0;
}
