// exit 1: ASSERTION
// The destructor of a thread's variable comes after its last statement.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> ended, destroyed;

struct Local {
    int used = 0;
    ~Local() { destroyed = 1; }
};
static thread_local Local local;

int main() {
    std::thread other([] {
        local.used = 1;
        ended = 1;
    });
    bool early = ended && !destroyed;
    other.join();
    assert(destroyed);
    assert(!early);
}
