// exit 0: FREE OF FAULTS
// A local static is made once, and whoever waits sees it whole.
#include <cassert>
#include <thread>

static int times;

struct Made {
    int value;
    Made() : value(0) { times++; value = 5; }
};

static int get() {
    static Made made;
    return made.value;
}

int main() {
    std::thread other([] { assert(get() == 5); });
    assert(get() == 5);
    other.join();
    assert(times == 1);
}
