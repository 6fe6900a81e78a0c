extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "task.c", 3, "reach_error"); }
#include <pthread.h>
// A reader-writer lock whose writer does not wait for readers.
extern void __VERIFIER_assume(int);
int writing, readers;
_Atomic int x;
void __VERIFIER_atomic_take_write_lock(void) { __VERIFIER_assume(writing == 0); writing = 1; }
void __VERIFIER_atomic_release_write_lock(void) { writing = 0; }
void __VERIFIER_atomic_take_read_lock(void) { __VERIFIER_assume(writing == 0); readers++; }
void __VERIFIER_atomic_release_read_lock(void) { readers--; }
void *write(void *unused) {
    __VERIFIER_atomic_take_write_lock();
    x = 3;
    __VERIFIER_atomic_release_write_lock();
    return 0;
}
void *read(void *unused) {
    __VERIFIER_atomic_take_read_lock();
    int l = x;
    if (l != x) reach_error();
    __VERIFIER_atomic_release_read_lock();
    return 0;
}
int main(void) {
    pthread_t w, r;
    pthread_create(&w, 0, write, 0);
    pthread_create(&r, 0, read, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
}
