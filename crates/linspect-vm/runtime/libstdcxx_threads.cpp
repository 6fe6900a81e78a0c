// What programs need of libstdc++'s shared library for threads: `std::call_once` and futures.
// Compiled with the program, if the program refers to any of it; only what it needs is linked.
#include <bits/atomic_futex.h>
#include <cerrno>
#include <ctime>
#include <future>
#include <mutex>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

// `std::call_once` leaves what is to be called with its thread.
namespace std {
__thread void *__once_callable;
__thread void (*__once_call)();
} // namespace std
extern "C" void __once_proxy() { std::__once_call(); }

// Futures wait at a word. Whether a time is over is the machine's choice, whichever clock it is.
namespace {
bool wait_at(unsigned *word, unsigned value, bool timed, std::chrono::seconds s, std::chrono::nanoseconds ns) {
  const long wait = 0;
  timespec until = {static_cast<time_t>(s.count()), static_cast<long>(ns.count())};
  return syscall(SYS_futex, word, wait, value, timed ? &until : nullptr) != -1 || errno != ETIMEDOUT;
}
} // namespace

namespace std {
bool __atomic_futex_unsigned_base::_M_futex_wait_until(unsigned *word, unsigned value, bool timed, chrono::seconds s,
                                                       chrono::nanoseconds ns) {
  return wait_at(word, value, timed, s, ns);
}
bool __atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned *word, unsigned value, bool timed,
                                                              chrono::seconds s, chrono::nanoseconds ns) {
  return wait_at(word, value, timed, s, ns);
}
void __atomic_futex_unsigned_base::_M_futex_notify_all(unsigned *word) {
  const long wake = 1;
  syscall(SYS_futex, word, wake, 0x7fffffff);
}

// What a promise broke or did twice is an error of a category of its own.
__future_base::_Result_base::_Result_base() = default;
__future_base::_Result_base::~_Result_base() = default;
future_error::~future_error() noexcept {}
const char *future_error::what() const noexcept { return logic_error::what(); }
void __throw_future_error(int error) { throw future_error(static_cast<future_errc>(error)); }

inline namespace _V2 {
error_category::~error_category() = default;
error_condition error_category::default_error_condition(int i) const noexcept { return error_condition(i, *this); }
bool error_category::equivalent(int i, const error_condition &condition) const noexcept {
  return default_error_condition(i) == condition;
}
bool error_category::equivalent(const error_code &code, int i) const noexcept {
  return *this == code.category() && code.value() == i;
}
} // namespace _V2

__cow_string error_category::_M_message(int i) const {
  string text = message(i);
  return {text.c_str(), text.length()};
}
} // namespace std

namespace {
struct FutureCategory final : std::error_category {
  const char *name() const noexcept override { return "future"; }
  std::string message(int i) const override {
    switch (static_cast<std::future_errc>(i)) {
    case std::future_errc::promise_already_satisfied:
      return "Promise already satisfied";
    case std::future_errc::future_already_retrieved:
      return "Future already retrieved";
    case std::future_errc::no_state:
      return "No associated state";
    case std::future_errc::broken_promise:
      return "Broken promise";
    }
    return "Unknown error";
  }
};
} // namespace
namespace std {
const error_category &future_category() noexcept {
  static const FutureCategory category;
  return category;
}
} // namespace std
