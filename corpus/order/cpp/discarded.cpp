// exit 0: FREE OF FAULTS
// What an atomic held before it was first written is exchanged for a value and thrown away.
#include <atomic>
#include <cassert>
#include <thread>

struct Slot {
    std::atomic<long> value;
    explicit Slot(long first) { value.exchange(first); }
};

int main() {
    Slot *slot = new Slot(1);
    std::thread other([slot] { slot->value.fetch_add(1); });
    slot->value.fetch_add(1);
    other.join();
    assert(slot->value.load() == 3);
    delete slot;
}
