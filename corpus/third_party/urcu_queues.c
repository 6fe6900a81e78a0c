// Userspace RCU (liburcu-dev): its lock-free stack, its wait-free queue and its atomics, from two threads.
#define _LGPL_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <urcu/lfstack.h>
#include <urcu/uatomic.h>
#include <urcu/wfcqueue.h>

struct item {
  struct cds_lfs_node stacked;
  struct cds_wfcq_node queued;
  int value;
};

static struct __cds_lfs_stack stack;
static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static unsigned long counter;

static void *work(void *argument) {
  for (int i = 0; i < 2; i++) {
    struct item *it = calloc(1, sizeof *it);
    it->value = (int)(long)argument + i;
    cds_lfs_node_init(&it->stacked);
    cds_wfcq_node_init(&it->queued);
    cds_lfs_push(&stack, &it->stacked);
    cds_wfcq_enqueue(&head, &tail, &it->queued);
    uatomic_add(&counter, it->value);
    uatomic_inc(&counter);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  __cds_lfs_init(&stack);
  cds_wfcq_init(&head, &tail);
  pthread_create(&a, NULL, work, (void *)10);
  pthread_create(&b, NULL, work, (void *)20);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  int stacked = 0, queued = 0;
  struct cds_lfs_node *s;
  struct cds_wfcq_node *q;
  while ((s = __cds_lfs_pop(&stack)) != NULL)
    stacked += caa_container_of(s, struct item, stacked)->value;
  while ((q = __cds_wfcq_dequeue_blocking(&head, &tail)) != NULL) {
    struct item *it = caa_container_of(q, struct item, queued);
    queued += it->value;
    free(it);
  }
  printf("stacked %d, queued %d, counter %lu\n", stacked, queued, uatomic_read(&counter));
  return 0;
}
