// Classes, virtual calls, templates, containers, threads, atomics, locks, constructors of globals.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Shape {
    virtual ~Shape() { std::puts("gone"); }
    virtual double area() const = 0;
};
struct Square : Shape {
    double side;
    explicit Square(double s) : side(s) {}
    double area() const override { return side * side; }
};
struct Circle : Shape {
    double r;
    explicit Circle(double r) : r(r) {}
    double area() const override { return 3 * r * r; }
};

struct Global {
    int value;
    Global() : value(7) { std::puts("global built"); }
    ~Global() { std::puts("global gone"); }
} global;

template <class T> T largest(const std::vector<T> &items) {
    T best = items.front();
    for (const T &item : items)
        if (best < item)
            best = item;
    return best;
}

int main() {
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Square>(2));
    shapes.push_back(std::make_unique<Circle>(1));
    double total = 0;
    for (auto &shape : shapes)
        total += shape->area();
    std::printf("%.1f %d\n", total, global.value);
    std::printf("%d %s\n", largest(std::vector<int>{3, 9, 4}), largest(std::vector<const char *>{"only"}));
    std::atomic<int> count{0};
    std::mutex lock;
    std::condition_variable changed;
    bool go = false;
    int sum = 0;
    std::vector<std::thread> threads;
    for (int i = 1; i <= 3; i++)
        threads.emplace_back([&, i] {
            count.fetch_add(i, std::memory_order_relaxed);
            std::unique_lock<std::mutex> guard(lock);
            changed.wait(guard, [&] { return go; });
            sum += i;
        });
    {
        std::lock_guard<std::mutex> guard(lock);
        go = true;
    }
    changed.notify_all();
    for (auto &thread : threads)
        thread.join();
    std::shared_ptr<int> shared = std::make_shared<int>(5), other = shared;
    static int local = sum + 1;
    std::printf("%d %d %ld %d\n", count.load(), sum, shared.use_count(), local);
    auto add = [total = 1](int x) mutable { return total += x; };
    add(2);
    std::printf("%d\n", add(3));
    return 4;
}
