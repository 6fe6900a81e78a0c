extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "task.c", 3, "reach_error"); }
#include <pthread.h>
// A ticket lock by an atomic function that fetches and increments.
unsigned next_ticket;
_Atomic unsigned serving;
int c;
unsigned __VERIFIER_atomic_take(void) { return next_ticket++; }
void *run(void *unused) {
    unsigned mine = __VERIFIER_atomic_take();
    while (serving != mine) {}
    c = 1;
    if (c != 1) reach_error();
    c = 0;
    serving = mine + 1;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
