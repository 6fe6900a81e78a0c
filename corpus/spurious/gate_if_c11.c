// verdict: ASSERTION FAILED
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t opened;
static int is_open;

static int pass(void *unused) {
    (void)unused;
    mtx_lock(&lock);
    if (!is_open)
        cnd_wait(&opened, &lock);
    assert(is_open);
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    mtx_init(&lock, mtx_plain);
    cnd_init(&opened);
    thrd_t waiter;
    thrd_create(&waiter, pass, 0);
    mtx_lock(&lock);
    is_open = 1;
    cnd_signal(&opened);
    mtx_unlock(&lock);
    thrd_join(waiter, 0);
}
