// exit 1: ASSERTION
// Whichever thread comes first is the one that calls.
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int who;

int main() {
    std::thread other([] { std::call_once(flag, [] { who = 2; }); });
    std::call_once(flag, [] { who = 1; });
    other.join();
    assert(who == 1);
}
