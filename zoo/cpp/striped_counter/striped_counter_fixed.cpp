#include "striped_counter.hpp"

void StripedCounter::increment() { up_.fetch_add(1); }

void StripedCounter::decrement() { down_.fetch_add(1); }

int StripedCounter::get() {
    for (;;) {
        int up = up_.load();
        int down = down_.load();
        // Both only grow: if `up` has not changed, both had these values when `down` was read.
        if (up == up_.load())
            return up - down;
    }
}
