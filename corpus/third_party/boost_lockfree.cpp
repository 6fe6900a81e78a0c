// Boost.Lockfree (libboost-dev): queue, stack and single-producer queue, from two threads.
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <cstdio>
#include <thread>

static boost::lockfree::queue<int> queue(8);
static boost::lockfree::stack<int> stack(8);
static boost::lockfree::spsc_queue<int, boost::lockfree::capacity<4>> pipe_;

static void work(int base) {
  for (int i = 0; i < 2; i++) {
    queue.push(base + i);
    stack.push(base - i);
  }
}

int main() {
  std::thread a([] {
    work(10);
    pipe_.push(1);
    pipe_.push(2);
  });
  std::thread b([] { work(20); });
  a.join();
  b.join();
  int queued = 0, stacked = 0, piped = 0, value;
  while (queue.pop(value))
    queued += value;
  while (stack.pop(value))
    stacked += value;
  while (pipe_.pop(value))
    piped = piped * 10 + value;
  std::printf("queued %d, stacked %d, piped %d\n", queued, stacked, piped);
  return 0;
}
