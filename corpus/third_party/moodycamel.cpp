// moodycamel::ConcurrentQueue (libconcurrentqueue-dev): implicit producers from two threads, bulk dequeue.
#include <concurrentqueue/concurrentqueue.h>
#include <cstdio>
#include <thread>

static moodycamel::ConcurrentQueue<int> queue(64);

static void work(int base) {
  for (int i = 0; i < 2; i++)
    queue.enqueue(base + i);
}

int main() {
  std::thread a([] { work(10); });
  std::thread b([] { work(20); });
  a.join();
  b.join();
  int first = 0, rest[8];
  bool any = queue.try_dequeue(first);
  std::size_t count = queue.try_dequeue_bulk(rest, 8);
  int sum = first;
  for (std::size_t i = 0; i < count; i++)
    sum += rest[i];
  std::printf("any %d, count %zu, sum %d\n", any, count + 1, sum);
  return 0;
}
