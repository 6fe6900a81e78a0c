extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void reach_error(void) { __assert_fail("0", "task.c", 3, "reach_error"); }
#include <pthread.h>
// What is written before a flag is seen after it.
#include <stdatomic.h>
int data;
atomic_int ready;
void *write(void *unused) { data = 42; atomic_store_explicit(&ready, 1, memory_order_release); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, write, 0);
    if (atomic_load_explicit(&ready, memory_order_acquire) && data != 42) reach_error();
    pthread_join(t, 0);
}
