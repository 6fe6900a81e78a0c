// A semaphore whose release wakes one of those who wait. Without FIXED, who is woken does not look again.
#include <linspect.h>

#include <condition_variable>
#include <mutex>

struct Semaphore {
    std::mutex lock;
    std::condition_variable changed;
    int permits = 1;

    void acquire() {
        std::unique_lock<std::mutex> held(lock);
#ifdef FIXED
        while (permits == 0)
#else
        if (permits == 0)
#endif
            changed.wait(held);
        --permits;
    }

    void release() {
        std::lock_guard<std::mutex> held(lock);
        ++permits;
        // The last value of the function: a call that returns nothing has no register.
        changed.notify_one();
    }

    int value() {
        std::lock_guard<std::mutex> held(lock);
        return permits;
    }
};

LINSPECT_OBJECT(Semaphore *, semaphore, new Semaphore())
LINSPECT_OP(acquire, semaphore->acquire())
LINSPECT_OP(release, semaphore->release())
LINSPECT_OP_RET(int, value, semaphore->value())
