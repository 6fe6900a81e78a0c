// A Treiber stack: compare-exchange loops, heap nodes, two threads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static _Atomic(struct node *) head;

static void push(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  struct node *old = atomic_load(&head);
  do {
    n->next = old;
  } while (!atomic_compare_exchange_weak(&head, &old, n));
}

static int pop(void) {
  struct node *top = atomic_load_explicit(&head, memory_order_acquire);
  while (top) {
    if (atomic_compare_exchange_strong(&head, &top, top->next)) {
      int value = top->value;
      free(top);
      return value;
    }
  }
  return -1;
}

static void *work(void *argument) {
  push((int)(long)argument);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, (void *)1);
  pthread_create(&b, NULL, work, (void *)2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  int x = pop(), y = pop();
  printf("%d %d\n", x + y, pop());
  return 0;
}
