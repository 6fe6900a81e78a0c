// exit 0: LINEARIZABLE
// options: --max-operations 3 --threads 2
// A wait that times out when the object runs alone is what it should do; it is no different result beside others.
#include <chrono>
#include <condition_variable>
#include <linspect.h>
#include <mutex>

struct Box {
    std::mutex lock;
    std::condition_variable filled;
    int value = 0;

    void put(int v) {
        {
            std::lock_guard<std::mutex> guard(lock);
            value = v;
        }
        filled.notify_one();
    }

    int take() {
        std::unique_lock<std::mutex> guard(lock);
        auto is_filled = [this] { return value != 0; };
        if (!filled.wait_for(guard, std::chrono::milliseconds(1), is_filled))
            return -1;
        int taken = value;
        value = 0;
        return taken;
    }
};

LINSPECT_OBJECT(Box *, box, new Box)
LINSPECT_TEARDOWN { delete box; }
LINSPECT_OP(put, box->put(v), int v, 1, 2)
LINSPECT_OP_RET(int, take, box->take())
