// MySQL bug 12848, in essence: resizing the query cache frees it and makes it anew under the lock, but lets go
// of the lock in between; a query that comes then uses a cache that is not there.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int cache_size = 16;
static bool cache_exists = true;

static void *resize(void *unused) {
    pthread_mutex_lock(&lock);
    cache_exists = false;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    cache_size = 32;
    cache_exists = true;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *query(void *unused) {
    pthread_mutex_lock(&lock);
    if (cache_size > 0)
        assert(cache_exists);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, resize, NULL);
    pthread_create(&t2, NULL, query, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
