// What <mutex>, <future>, <condition_variable> and <shared_mutex> take from the shared library of C++.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>

static void once() {
  std::once_flag flag;
  int calls = 0;
  auto call = [&] { std::call_once(flag, [&] { calls++; }); };
  std::thread other(call);
  call();
  other.join();
  std::printf("once: %d\n", calls);
  std::once_flag failing;
  for (int i = 0; i < 3; i++) {
    try {
      std::call_once(failing, [&] {
        if (i == 0)
          throw std::runtime_error("not yet");
        std::printf("call %d\n", i);
      });
    } catch (const std::runtime_error &e) {
      std::puts(e.what());
    }
  }
}

static void futures() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread setter([&] { promise.set_value(3); });
  std::printf("promise: %d\n", future.get());
  setter.join();
  std::packaged_task<int(int)> task([](int x) { return x + 1; });
  std::future<int> result = task.get_future();
  std::thread worker(std::move(task), 4);
  std::printf("task: %d\n", result.get());
  worker.join();
  std::future<int> later = std::async(std::launch::async, [] { return 6; });
  std::printf("async: %d\n", later.get());
  std::future<void> fails = std::async(std::launch::async, [] { throw std::runtime_error("kept"); });
  try {
    fails.get();
  } catch (const std::runtime_error &e) {
    std::puts(e.what());
  }
  std::future<int> broken;
  {
    std::promise<int> forgotten;
    broken = forgotten.get_future();
  }
  try {
    broken.get();
  } catch (const std::future_error &e) {
    std::printf("broken: %d\n", e.code() == std::future_errc::broken_promise);
  }
}

static void waits() {
  std::condition_variable_any any;
  std::recursive_mutex recursive;
  bool ready = false;
  std::thread setter([&] {
    std::lock_guard<std::recursive_mutex> guard(recursive);
    ready = true;
    any.notify_all();
  });
  {
    std::unique_lock<std::recursive_mutex> lock(recursive);
    any.wait(lock, [&] { return ready; });
  }
  setter.join();
  std::timed_mutex timed;
  std::printf("timed: %d\n", timed.try_lock_for(std::chrono::milliseconds(1)));
  timed.unlock();
  auto begin = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  std::printf("slept: %d\n", std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(2));
  std::condition_variable never;
  std::mutex mutex;
  {
    std::unique_lock<std::mutex> lock(mutex);
    std::printf("timeout: %d\n", never.wait_for(lock, std::chrono::milliseconds(1), [] { return false; }));
  }
  std::shared_mutex shared;
  int value = 0;
  std::thread writer([&] {
    std::unique_lock<std::shared_mutex> lock(shared);
    value = 1;
    value = 2;
  });
  {
    std::shared_lock<std::shared_mutex> lock(shared);
    std::printf("shared: %d\n", value == 0 || value == 2);
  }
  writer.join();
  std::mutex a, b;
  std::thread both([&] { std::scoped_lock lock(a, b); });
  { std::scoped_lock lock(b, a); }
  both.join();
}

int main() {
  once();
  futures();
  waits();
}
