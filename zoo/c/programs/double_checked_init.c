// Double-checked initialisation whose flag is raised before the thing is ready.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool initialised;
static atomic_int setting;

static int get_setting(void) {
    if (!initialised) {
        pthread_mutex_lock(&lock);
        if (!initialised) {
            initialised = true;
            setting = 42;
        }
        pthread_mutex_unlock(&lock);
    }
    return setting;
}

static void *use(void *unused) {
    int seen = get_setting();
    assert(seen == 42);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, use, NULL);
    pthread_create(&t2, NULL, use, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
