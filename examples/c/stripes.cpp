// A golden model: the same object, built otherwise. A counter is spread over stripes so that threads do not get in each other's way; with one stripe it
// is an ordinary counter, and that is the measure for the counter with two.
//
//     linspect test examples/c/stripes.cpp
#include <atomic>
#include <linspect.h>

class Counter {
    unsigned count;
    std::atomic<int> stripes[2] = {};

  public:
    explicit Counter(unsigned count) : count(count) {}

    void add(int value) { stripes[value % count].fetch_add(value); }

    int sum() {
        int sum = 0;
        for (unsigned i = 0; i < count; i++)
            sum += stripes[i].load(); // what is added behind its back is missed
        return sum;
    }
};

LINSPECT_OBJECT(Counter *, counter, new Counter(2))
LINSPECT_OP(add, counter->add(value), int value, 1, 2)
LINSPECT_OP_RET(int, sum, counter->sum())
LINSPECT_GOLDEN(counter, new Counter(1))
