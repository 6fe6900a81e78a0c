// exit 1: DATA RACE
// The first check of double-checked locking reads a pointer that is published relaxed.
#include <atomic>
#include <mutex>
#include <thread>

struct Config {
    int size = 3;
};

static std::atomic<Config *> instance{nullptr};
static std::mutex guard;

static Config *get() {
    Config *config = instance.load(std::memory_order_relaxed);
    if (!config) {
        std::lock_guard<std::mutex> hold(guard);
        config = instance.load(std::memory_order_relaxed);
        if (!config) {
            config = new Config;
            instance.store(config, std::memory_order_relaxed);
        }
    }
    return config;
}

int main() {
    std::thread other([] { return get()->size; });
    int size = get()->size;
    other.join();
    return size == 3 ? 0 : 1;
}
