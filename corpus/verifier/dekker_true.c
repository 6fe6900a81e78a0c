extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "task.c", 3, "reach_error"); }
#include <pthread.h>
// Dekker's algorithm keeps two threads apart.
#include <stdatomic.h>
atomic_int wants[2], turn, inside;
void *run(void *number) {
    int me = *(int *)number;
    wants[me] = 1;
    while (wants[1 - me]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me) {}
            wants[me] = 1;
        }
    }
    if (inside++ != 0) reach_error();
    inside--;
    turn = 1 - me;
    wants[me] = 0;
    return 0;
}
int main(void) {
    int zero = 0, one = 1;
    pthread_t t;
    pthread_create(&t, 0, run, &one);
    run(&zero);
    pthread_join(t, 0);
}
