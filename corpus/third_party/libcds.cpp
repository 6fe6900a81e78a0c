// libcds (libcds-dev): the bounded queue of Vyukov, which needs nothing of its shared library, from two threads.
#include <cds/container/vyukov_mpmc_cycle_queue.h>
#include <cstdio>
#include <thread>

static cds::container::VyukovMPMCCycleQueue<int> queue(8);

static void work(int base) {
  for (int i = 0; i < 2; i++)
    queue.enqueue(base + i);
}

int main() {
  std::thread a([] { work(10); });
  std::thread b([] { work(20); });
  a.join();
  b.join();
  int sum = 0, count = 0, value;
  while (queue.dequeue(value)) {
    sum += value;
    count++;
  }
  std::printf("count %d, sum %d, empty %d\n", count, sum, queue.empty());
  return 0;
}
