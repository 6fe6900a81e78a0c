// Concurrency Kit (libck-dev): its lock-free stack with a double-word head, its ring and its ticket lock, from three threads.
#include <ck_ring.h>
#include <ck_spinlock.h>
#include <ck_stack.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct entry {
  int value;
  ck_stack_entry_t link;
};

static ck_stack_t stack __attribute__((aligned(16))) = CK_STACK_INITIALIZER;
static ck_ring_t ring;
static ck_ring_buffer_t slots[8];
static ck_spinlock_ticket_t lock = CK_SPINLOCK_TICKET_INITIALIZER;
static int locked;

static void *producer(void *argument) {
  for (int i = 0; i < 3; i++) {
    struct entry *e = malloc(sizeof *e);
    e->value = (int)(long)argument * 10 + i;
    ck_stack_push_mpmc(&stack, &e->link);
    ck_ring_enqueue_mpmc(&ring, slots, e);
    ck_spinlock_ticket_lock(&lock);
    locked += i;
    ck_spinlock_ticket_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  ck_ring_init(&ring, 8);
  for (long t = 0; t < 2; t++)
    pthread_create(&threads[t], NULL, producer, (void *)(t + 1));
  for (int t = 0; t < 2; t++)
    pthread_join(threads[t], NULL);
  int popped = 0, sum = 0, dequeued = 0;
  ck_stack_entry_t *top;
  void *item;
  while ((top = ck_stack_pop_mpmc(&stack)) != NULL) {
    struct entry *e = (struct entry *)((char *)top - offsetof(struct entry, link));
    popped++;
    sum += e->value;
  }
  while (ck_ring_dequeue_mpmc(&ring, slots, &item)) {
    dequeued++;
    free(item);
  }
  printf("popped %d, sum %d, dequeued %d, locked %d\n", popped, sum, dequeued, locked);
  return 0;
}
