// What programs need of libstdc++'s shared library for threads: `std::call_once`, futures, and shared pointers that are
// accessed atomically.
// Compiled with the program, if the program refers to any of it; only what it needs is linked.
#include <algorithm>
#include <bits/atomic_futex.h>
#include <cerrno>
#include <condition_variable>
#include <ctime>
#include <cstring>
#include <future>
#include <memory>
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

// `std::atomic_load` and the like of a shared pointer lock one of a few mutexes.
namespace {
constexpr unsigned char kNoMutex = 0xff;
std::mutex &mutex_of(unsigned char key) {
  static std::mutex mutexes[16];
  return mutexes[key];
}
unsigned char key_of(const void *pointer) { return reinterpret_cast<std::size_t>(pointer) / 16 % 16; }
} // namespace

namespace std {
_Sp_locker::_Sp_locker(const void *pointer) noexcept : _M_key1(key_of(pointer)), _M_key2(kNoMutex) {
  mutex_of(_M_key1).lock();
}
_Sp_locker::_Sp_locker(const void *one, const void *other) noexcept
    : _M_key1(std::min(key_of(one), key_of(other))), _M_key2(std::max(key_of(one), key_of(other))) {
  mutex_of(_M_key1).lock();
  if (_M_key2 == _M_key1)
    _M_key2 = kNoMutex;
  else
    mutex_of(_M_key2).lock();
}
_Sp_locker::~_Sp_locker() {
  if (_M_key2 != kNoMutex)
    mutex_of(_M_key2).unlock();
  mutex_of(_M_key1).unlock();
}
bad_weak_ptr::~bad_weak_ptr() noexcept {}
const char *bad_weak_ptr::what() const noexcept { return "bad_weak_ptr"; }
} // namespace std

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

// What happens when a thread has ended.
extern "C" int __cxa_thread_atexit(void (*)(void *), void *, void *) noexcept;
void __at_thread_exit(__at_thread_exit_elt *what) { __cxa_thread_atexit(what->_M_cb, what, nullptr); }
void __future_base::_State_baseV2::_Make_ready::_M_set() {
  _M_cb = &_Make_ready::_S_run;
  __at_thread_exit(this);
}
void __future_base::_State_baseV2::_Make_ready::_S_run(void *what) {
  unique_ptr<_Make_ready> ready(static_cast<_Make_ready *>(what));
  if (auto state = ready->_M_shared_state.lock())
    state->_M_status._M_store_notify_all(_Status::__ready, memory_order_release);
}
namespace {
struct Notifier final : __at_thread_exit_elt {
  condition_variable &condition;
  unique_lock<mutex> lock;
  Notifier(condition_variable &c, unique_lock<mutex> &&l) : condition(c), lock(std::move(l)) {
    _M_cb = [](void *what) {
      unique_ptr<Notifier> own(static_cast<Notifier *>(what));
      own->lock.unlock();
      own->condition.notify_all();
    };
    __at_thread_exit(this);
  }
};
} // namespace
void notify_all_at_thread_exit(condition_variable &condition, unique_lock<mutex> lock) {
  new Notifier(condition, std::move(lock));
}

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

system_error::~system_error() noexcept {}
void __throw_system_error(int error) { throw system_error(error, generic_category()); }

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

// The errors of the system, by their numbers.
struct SystemCategory : std::error_category {
  const char *called;
  explicit SystemCategory(const char *name) : called(name) {}
  const char *name() const noexcept override { return called; }
  std::string message(int i) const override { return std::strerror(i); }
};
} // namespace
namespace std {
inline namespace _V2 {
const error_category &generic_category() noexcept {
  static const SystemCategory category("generic");
  return category;
}
const error_category &system_category() noexcept {
  struct Category final : SystemCategory {
    Category() : SystemCategory("system") {}
    error_condition default_error_condition(int i) const noexcept override { return {i, generic_category()}; }
  };
  static const Category category;
  return category;
}
} // namespace _V2
const error_category &future_category() noexcept {
  static const FutureCategory category;
  return category;
}
} // namespace std
