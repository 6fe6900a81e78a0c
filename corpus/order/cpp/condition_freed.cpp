// exit 1: USE AFTER FREE
// The same in C++: `notify_one` after the lock was given back.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
struct E {
    std::mutex m;
    std::condition_variable c;
    bool set = false;
    void signal() {
        {
            std::lock_guard<std::mutex> g(m);
            set = true;
        }
        c.notify_one();
    }
    void wait() {
        std::unique_lock<std::mutex> l(m);
        c.wait(l, [this] { return set; });
    }
};
int main() {
    E *e = new E;
    std::thread t([e] { e->signal(); });
    e->wait();
    delete e;
    t.join();
}
