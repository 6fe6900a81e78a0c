// A list whose size is counted without the lock that add and remove hold.
#include <linspect.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct node {
    int key;
    struct node *next;
} node_t;

static node_t *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(int key) {
    node_t *node = malloc(sizeof *node);
    node->key = key;
    pthread_mutex_lock(&lock);
    node->next = head;
    head = node;
    pthread_mutex_unlock(&lock);
}

static void clear(void) {
    pthread_mutex_lock(&lock);
    while (head) {
        node_t *node = head;
        head = node->next;
        free(node);
    }
    pthread_mutex_unlock(&lock);
}

static int size(void) {
    int n = 0;
    for (node_t *node = head; node; node = node->next)
        n++;
    return n;
}

LINSPECT_SETUP { clear(); }
LINSPECT_OP(add, (add(key), 0), int key, 1, 2)
LINSPECT_OP(clear, (clear(), 0))
LINSPECT_OP(size, size())
