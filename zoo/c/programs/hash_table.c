// An open hash table whose insertion looks for a free slot and then takes it: two keys with the same hash
// may find the same one.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define SIZE 4

static int table[SIZE];

static void insert(int key) {
    int slot = key % SIZE;
    while (table[slot] != 0)
        slot = (slot + 1) % SIZE;
    table[slot] = key;
}

static bool contains(int key) {
    for (int i = 0; i < SIZE; i++)
        if (table[(key + i) % SIZE] == key)
            return true;
    return false;
}

static void *insert_one(void *unused) {
    insert(1);
    return unused;
}

static void *insert_five(void *unused) {
    insert(5);
    return unused;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, insert_one, NULL);
    pthread_create(&t2, NULL, insert_five, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(contains(1) && contains(5));
    return 0;
}
