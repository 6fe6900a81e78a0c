extern void reach_error(void);
extern void abort(void);
#include <pthread.h>
// An error that stands behind abort, behind an end of the thread, and behind a condition that never holds.
_Atomic int x;
void *ends(void *unused) { x = 1; pthread_exit(0); reach_error(); return 0; }
void *aborts(void *unused) { if (x == 1) { abort(); reach_error(); } return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, ends, 0);
    pthread_create(&b, 0, aborts, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (x > 1) reach_error();
}
