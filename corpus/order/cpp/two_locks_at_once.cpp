// exit 0: FREE OF FAULTS
// options: --cflag=-std=c++20
// Two locks, taken at once in either order: whoever fails gives back what he has and tries again, as often as it takes.
#include <mutex>
#include <thread>
int main() {
    std::mutex a, b;
    int n = 0;
    std::thread t([&] {
        std::scoped_lock l(a, b);
        n++;
    });
    {
        std::scoped_lock l(b, a);
        n++;
    }
    t.join();
    return n != 2;
}
