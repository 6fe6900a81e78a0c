// jthread, stop_token, stop_callback, condition_variable_any with a token.
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <queue>
#include <stop_token>
#include <thread>
#include <vector>
class Mailbox {
    std::mutex m;
    std::condition_variable_any cv;
    std::queue<int> q;

  public:
    void put(int v) {
        {
            std::lock_guard l(m);
            q.push(v);
        }
        cv.notify_one();
    }
    bool take(std::stop_token st, int &v) {
        std::unique_lock l(m);
        if (!cv.wait(l, st, [&] { return !q.empty(); })) return false;
        v = q.front();
        q.pop();
        return true;
    }
};
int main() {
    Mailbox box;
    long sum = 0;
    int called = 0;
    {
        std::jthread t([&](std::stop_token st) {
            std::stop_callback cb(st, [&] { called++; });
            int v;
            while (box.take(st, v)) sum += v;
        });
        for (int i = 0; i < 5; i++) box.put(i);
        std::jthread second([&] {});
        second.join();
        std::cout << t.joinable() << second.joinable() << '\n';
        t.request_stop();
        t.join();
    }
    std::stop_source s;
    std::stop_token tok = s.get_token();
    std::cout << called << ' ' << (sum <= 10) << ' ' << tok.stop_possible() << tok.stop_requested() << s.request_stop()
              << s.request_stop() << tok.stop_requested() << '\n';
}
