// What classes derive from: casts while a program runs, and which handlers take an exception.
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <typeinfo>

struct Shape { virtual ~Shape() = default; int a = 1; };
struct Named { virtual ~Named() = default; std::string name = "named"; };
struct Square : Shape { int side = 3; };
struct Label : Shape, Named { int c = 4; };
struct Base { virtual ~Base() = default; int b = 5; };
struct Left : virtual Base { int l = 6; };
struct Right : virtual Base { int r = 7; };
struct Diamond : Left, Right, Named { int d = 8; };
struct TwiceL : Shape {};
struct TwiceR : Shape {};
struct Twice : TwiceL, TwiceR {};
struct Hidden : private Shape, Named {};

struct Source { virtual ~Source() = default; int where = 9; };
struct Failure : Source, std::runtime_error { using std::runtime_error::runtime_error; };
struct Worse : Failure { using Failure::Failure; };

static void casts() {
  Label label;
  Shape *shape = &label;
  Named *named = dynamic_cast<Named *>(shape);
  std::printf("%s %d\n", named->name.c_str(), dynamic_cast<Label *>(named)->c);
  std::printf("%d %d\n", dynamic_cast<Square *>(shape) == nullptr, dynamic_cast<void *>(named) == static_cast<void *>(&label));
  Diamond diamond;
  Base *base = &diamond;
  Left *left = dynamic_cast<Left *>(base);
  std::printf("%d %d %d\n", left->l, dynamic_cast<Right *>(left)->r, dynamic_cast<Diamond *>(base)->d);
  std::printf("%s\n", dynamic_cast<Named *>(base)->name.c_str());
  Twice twice;
  Shape *one = static_cast<TwiceL *>(&twice);
  std::printf("%d %d\n", dynamic_cast<TwiceR *>(one) != nullptr, dynamic_cast<TwiceL *>(one) != nullptr);
  Hidden hidden;
  Named *seen = &hidden;
  std::printf("%d\n", dynamic_cast<Shape *>(seen) == nullptr);
  try {
    (void)dynamic_cast<Square &>(*shape);
  } catch (const std::bad_cast &e) {
    std::printf("%s\n", e.what());
  }
  std::unique_ptr<Shape> owned = std::make_unique<Square>();
  std::printf("%d\n", typeid(*owned) == typeid(Square));
}

static void handlers() {
  try {
    throw Worse("worse");
  } catch (const std::logic_error &) {
    std::puts("no");
  } catch (const std::runtime_error &e) {
    std::printf("%s\n", e.what());
  }
  try {
    throw Worse("again");
  } catch (Source &e) {
    std::printf("%d\n", e.where);
  }
  try {
    throw Twice();
  } catch (Shape &) {
    std::puts("which of the two?");
  } catch (Twice &) {
    std::puts("twice");
  }
  try {
    try {
      throw std::out_of_range("inner");
    } catch (...) {
      std::throw_with_nested(std::logic_error("outer"));
    }
  } catch (const std::logic_error &e) {
    std::printf("%s\n", e.what());
    try {
      std::rethrow_if_nested(e);
    } catch (const std::exception &nested) {
      std::printf("%s\n", nested.what());
    }
  }
  std::logic_error moved(std::logic_error("moved"));
  std::printf("%s\n", moved.what());
  try {
    throw std::system_error(std::make_error_code(std::errc::timed_out));
  } catch (const std::system_error &e) {
    std::printf("%d\n", e.code() == std::errc::timed_out);
  }
  try {
    std::unique_lock<std::mutex> none;
    none.lock();
  } catch (const std::system_error &e) {
    std::printf("%d\n", e.code() == std::errc::operation_not_permitted);
  }
}

int main() {
  std::thread(casts).join();
  handlers();
}
