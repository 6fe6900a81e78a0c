extern void reach_error(void);
#include <pthread.h>
#include <stdlib.h>
// A list that two threads push to without care loses a node.
struct node { struct node *next; int value; };
struct node *top;
void *push(void *value) {
    struct node *n = malloc(sizeof *n);
    n->value = (int)(long)value;
    n->next = top;
    top = n;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, push, (void *)1);
    pthread_create(&b, 0, push, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int count = 0;
    for (struct node *n = top; n; n = n->next) count++;
    if (count != 2) reach_error();
}
