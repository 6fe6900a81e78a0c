#include "striped_counter.hpp"

void StripedCounter::increment() { up_.fetch_add(1); }

void StripedCounter::decrement() { down_.fetch_add(1); }

int StripedCounter::get() {
    int up = up_.load();
    int down = down_.load();
    return up - down;
}
