// exit 1: ACCESS OUT OF BOUNDS
// A vector that two threads fill.
#include <thread>
#include <vector>

int main() {
    std::vector<int> shared;
    std::thread other([&] { shared.push_back(1); });
    shared.push_back(2);
    other.join();
    return shared.size() == 2 ? 0 : 1;
}
