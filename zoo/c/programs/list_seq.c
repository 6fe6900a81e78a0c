// Two threads put a node in front of an unprotected list.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct node {
    int value;
    struct node *next;
} node_t;

static node_t *head;

static void *insert(void *value) {
    node_t *node = malloc(sizeof *node);
    node->value = *(int *)value;
    node->next = head;
    head = node;
    return NULL;
}

int main(void) {
    int one = 1, two = 2;
    pthread_t t1, t2;
    pthread_create(&t1, NULL, insert, &one);
    pthread_create(&t2, NULL, insert, &two);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    int sum = 0;
    for (node_t *node = head; node; node = node->next)
        sum += node->value;
    assert(sum == 3);
    return 0;
}
