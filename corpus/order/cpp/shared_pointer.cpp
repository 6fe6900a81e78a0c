// exit 0: FREE OF FAULTS
// Owners count themselves: the last one finds what the others wrote.
#include <cassert>
#include <memory>
#include <thread>

struct Pair {
    int left = 0, right = 0;
    ~Pair() { assert(left == 1 && right == 1); }
};

int main() {
    auto pair = std::make_shared<Pair>();
    std::thread one([pair]() mutable {
        pair->left = 1;
        pair.reset();
    });
    std::thread two([pair = std::move(pair)]() mutable {
        pair->right = 1;
        pair.reset();
    });
    one.join();
    two.join();
}
