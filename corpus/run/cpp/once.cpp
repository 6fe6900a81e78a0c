// What is done once, and what is written to streams at the beginning and the end of the program.
#include <future>
#include <iomanip>
#include <iostream>
#include <mutex>
#include <shared_mutex>
#include <sstream>
#include <string>
#include <thread>

struct Noisy {
    const char *name;
    explicit Noisy(const char *name) : name(name) { std::cout << "begin " << name << '\n'; }
    ~Noisy() { std::cout << "end " << name << std::endl; }
};
static Noisy global("global");
static std::once_flag flag;
static int made;

static Noisy &local() {
    static Noisy noisy("local");
    return noisy;
}

int main() {
    std::thread threads[2];
    for (auto &thread : threads) thread = std::thread([] { std::call_once(flag, [] { made++; }); });
    for (auto &thread : threads) thread.join();
    try {
        std::once_flag other;
        std::call_once(other, [] { throw 5; });
    } catch (int thrown) {
        std::cout << "thrown " << thrown << '\n';
    }
    std::shared_mutex shared;
    { std::shared_lock<std::shared_mutex> read(shared); }
    { std::unique_lock<std::shared_mutex> write(shared); }
    std::timed_mutex timed;
    std::cout << "timed " << timed.try_lock_for(std::chrono::milliseconds(1)) << '\n';
    timed.unlock();
    std::recursive_mutex recursive;
    std::scoped_lock both(recursive, timed);
    auto later = std::async(std::launch::async, [] { return 42; });
    std::cout << "made " << made << ' ' << local().name << ' ' << later.get() << '\n';
    std::cout << std::hex << 255 << ' ' << std::dec << std::setw(6) << std::setfill('.') << -12 << ' ' << std::boolalpha << true << ' '
              << 1.5 << ' ' << std::fixed << std::setprecision(3) << 2.0 / 3 << ' ' << 'c' << ' ' << std::string("text") << ' '
              << static_cast<unsigned char>('u') << ' ' << 12345678901234ULL << ' ' << static_cast<short>(-3) << ' ' << 1.25f << '\n';
    std::cerr << "not shown" << std::endl;
}
