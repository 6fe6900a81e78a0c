// libstdc++ 12, -std=c++20: a thread sleeps for ever at a semaphore that is free.
#include <cassert>
#include <semaphore>
#include <thread>

int main() {
  std::counting_semaphore<2> free(1);
  int count = 0;
  auto work = [&] {
    free.acquire();
    count++;
    free.release();
  };
  std::thread other(work);
  work();
  other.join();
  assert(count == 2);
}
