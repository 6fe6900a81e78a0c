// verdict: holds
#include <linspect.h>
#include <atomic>
#include <mutex>
#include <condition_variable>
#include <memory>
#include <thread>
class Recursive {
    std::mutex m; std::condition_variable cv; std::thread::id owner; int depth = 0;
public:
    void lock() { std::unique_lock l(m); auto me = std::this_thread::get_id(); cv.wait(l, [&] { return depth == 0 || owner == me; }); owner = me; depth++; }
    bool try_lock() { std::unique_lock l(m); auto me = std::this_thread::get_id(); if (depth != 0 && owner != me) return false; owner = me; depth++; return true; }
    bool unlock() { std::unique_lock l(m); if (depth == 0 || owner != std::this_thread::get_id()) return false; if (--depth == 0) cv.notify_one(); return true; }
};
LINSPECT_OBJECT(std::unique_ptr<Recursive>, r, std::make_unique<Recursive>())
LINSPECT_OP(lock, r->lock())
LINSPECT_OP_RET(bool, try_lock, r->try_lock())
LINSPECT_OP_RET(bool, unlock, r->unlock())
LINSPECT_SPEC(recursive_mutex)
