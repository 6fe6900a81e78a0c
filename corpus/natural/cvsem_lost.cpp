// verdict: DEADLOCK
// client: [acquire] release release | acquire | acquire []
#include <linspect.h>
#include <condition_variable>
#include <mutex>
#include <memory>
struct Sem { std::mutex m; std::condition_variable cv; int n = 1;
  void acquire() { std::unique_lock l(m); cv.wait(l, [&] { return n > 0; }); n--; }
  bool try_acquire() { std::lock_guard l(m); if (n == 0) return false; n--; return true; }
  void release() { { std::lock_guard l(m); if (n++ == 0) cv.notify_one(); } } };
LINSPECT_OBJECT(std::unique_ptr<Sem>, s, std::make_unique<Sem>())
LINSPECT_OP(acquire, s->acquire())
LINSPECT_OP_RET(bool, try_acquire, s->try_acquire())
LINSPECT_OP(release, s->release())
LINSPECT_SPEC(semaphore, .permits = 1)
