// Apache bug 25520, mod_log_config, in essence: entries are copied to the end of a shared log buffer and the end
// is moved in a second step, so that two entries may be written over each other.
#include <assert.h>
#include <pthread.h>
#include <string.h>

#define LENGTH 16

static char buffer[LENGTH];
static int end;

static void *log_entry(void *entry) {
    int length = (int)strlen(entry);
    if (end + length > LENGTH)
        end = 0;
    int start = end;
    for (int i = 0; i < length; i++)
        buffer[start + i] = ((char *)entry)[i];
    end = start + length;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, log_entry, "ab");
    pthread_create(&t2, NULL, log_entry, "cd");
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(end == 4);
    return 0;
}
