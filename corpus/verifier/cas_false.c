extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "task.c", 3, "reach_error"); }
#include <pthread.h>
// A compare-and-swap that is two steps, not one.
_Atomic int m;
_Atomic int inside;
int swap(int from, int to) { if (m == from) { m = to; return 1; } return 0; }
void *run(void *unused) {
    if (swap(0, 1)) {
        if (++inside > 1) reach_error();
        --inside;
        m = 0;
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
