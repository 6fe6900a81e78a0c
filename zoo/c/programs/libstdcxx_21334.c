// GCC bug 21334, copy-on-write std::string, in essence: one thread sees that it is the only owner and writes in
// place; another becomes an owner between the two.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owners = 1;
static atomic_char text = 'a';

static void *write_in_place(void *unused) {
    if (owners == 1)
        text = 'b';
    return unused;
}

static void *copy_and_read(void *unused) {
    owners++;
    char before = text;
    char after = text;
    assert(before == after);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, write_in_place, NULL);
    pthread_create(&t2, NULL, copy_and_read, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
