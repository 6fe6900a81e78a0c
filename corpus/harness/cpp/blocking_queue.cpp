/* A queue whose `take` waits: `if` where `while` is needed, as everybody once wrote it. */
#include <condition_variable>
#include <deque>
#include <linspect.h>
#include <mutex>

class BlockingQueue {
    std::mutex mutex;
    std::condition_variable not_empty;
    std::deque<int> items;

public:
    void put(int v) {
        {
            std::lock_guard<std::mutex> guard(mutex);
            items.push_back(v);
        }
        not_empty.notify_one();
    }
    int take() {
        std::unique_lock<std::mutex> guard(mutex);
#ifdef FIXED
        while (items.empty())
#else
        if (items.empty())
#endif
            not_empty.wait(guard);
        int v = items.front();
        items.pop_front();
        return v;
    }
};

LINSPECT_OBJECT(BlockingQueue *, q, new BlockingQueue())
LINSPECT_OP(put, q->put(v), int v, 1)
LINSPECT_OP_RET(int, take, q->take())
