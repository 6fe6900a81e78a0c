// Exceptions: thrown again, thrown in handlers, kept and thrown elsewhere, those of the library; who destroys them, and when.
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Noisy {
  int id;
  explicit Noisy(int i) : id(i) {}
  Noisy(const Noisy &other) : id(other.id + 100) { std::printf("copy %d\n", id); }
  ~Noisy() { std::printf("destroy %d\n", id); }
};
struct Derived : std::runtime_error {
  using std::runtime_error::runtime_error;
};

static void again() {
  try {
    try {
      throw Noisy(1);
    } catch (...) {
      std::puts("inner");
      throw;
    }
  } catch (const Noisy &n) {
    std::printf("outer %d\n", n.id);
  }
}

static void in_a_handler() {
  try {
    try {
      throw Derived("a");
    } catch (const std::exception &e) {
      throw std::logic_error(std::string(e.what()) + "b");
    }
  } catch (const std::logic_error &e) {
    std::puts(e.what());
  }
}

struct Counts {
  ~Counts() { std::printf("on the way: %d\n", std::uncaught_exceptions()); }
};

static void nested() {
  try {
    Counts c;
    throw 1;
  } catch (int outer) {
    try {
      throw 2L;
    } catch (long inner) {
      std::printf("%d %ld %d\n", outer, inner, std::uncaught_exceptions());
    }
    try {
      throw;
    } catch (int same) {
      std::printf("%d\n", same);
    }
  }
}

static void kept() {
  std::exception_ptr kept;
  std::thread([&] {
    try {
      throw Noisy(7);
    } catch (...) {
      kept = std::current_exception();
    }
    std::puts("left the handler");
  }).join();
  std::exception_ptr copy = kept;
  for (int i = 0; i < 2; i++) {
    try {
      std::rethrow_exception(copy);
    } catch (const Noisy &n) {
      std::printf("again %d\n", n.id);
    }
  }
  kept = nullptr;
  std::puts("one is left");
  copy = std::make_exception_ptr(3);
  std::puts("none is left");
  try {
    std::rethrow_exception(copy);
  } catch (int three) {
    std::printf("%d %d\n", three, std::current_exception() == copy);
  }
}

template <class E, class F> void expect(const char *name, F f) {
  try {
    f();
    std::printf("%s: nothing\n", name);
  } catch (const E &e) {
    std::printf("%s: caught\n", name);
  }
}

static void of_the_library() {
  std::vector<int> v{1};
  std::string s = "abc";
  std::map<int, int> m;
  std::function<void()> f;
  expect<std::out_of_range>("vector::at", [&] { v.at(3); });
  expect<std::logic_error>("string::at", [&] { s.at(9); });
  expect<std::exception>("map::at", [&] { m.at(1); });
  expect<std::bad_function_call>("function", [&] { f(); });
  expect<std::length_error>("reserve", [&] { v.reserve(v.max_size() + 1); });
  expect<std::out_of_range>("substr", [&] { s.substr(7); });
  expect<std::invalid_argument>("stoi", [&] { std::stoi("x"); });
}

int main() {
  again();
  in_a_handler();
  nested();
  kept();
  of_the_library();
}
