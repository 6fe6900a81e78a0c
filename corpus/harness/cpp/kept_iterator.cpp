// A cache whose get keeps an iterator while it lets go of the lock: put may drop the element meanwhile.
#include <linspect.h>
#include <list>
#include <mutex>
#include <optional>

struct Cache {
    std::mutex mutex;
    std::list<std::pair<int, int>> recent;

    std::list<std::pair<int, int>>::iterator find(int key) {
        std::lock_guard<std::mutex> guard(mutex);
        auto at = recent.begin();
        while (at != recent.end() && at->first != key)
            ++at;
        return at;
    }

    std::optional<int> get(int key) {
        auto at = find(key);
        std::lock_guard<std::mutex> guard(mutex);
        if (at == recent.end())
            return std::nullopt;
        return at->second;
    }

    void put(int key, int value) {
        std::lock_guard<std::mutex> guard(mutex);
        if (recent.size() == 1)
            recent.pop_back();
        recent.emplace_front(key, value);
    }
};

static Cache *cache;
LINSPECT_SETUP { cache = new Cache; }
LINSPECT_OP2(put, cache->put(key, value), int key, int value, 1, 10, 2, 20)
LINSPECT_OP_RET(std::optional<int>, get, cache->get(key), int key, 1, 2)
