// Shared pointers that threads load, store and exchange atomically; weak ones; and numbers of std::random_device.
#include <cstdio>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using Numbers = std::vector<int>;

static std::shared_ptr<Numbers> numbers = std::make_shared<Numbers>();

static void add(int n) {
    auto old = std::atomic_load(&numbers);
    std::shared_ptr<Numbers> next;
    do {
        next = std::make_shared<Numbers>(*old);
        next->push_back(n);
    } while (!std::atomic_compare_exchange_strong(&numbers, &old, next));
}

int main() {
    std::thread one([] {
        for (int i = 0; i < 3; i++)
            add(1);
    });
    for (int i = 0; i < 3; i++)
        add(2);
    one.join();
    int sum = 0;
    for (int n : *std::atomic_load(&numbers))
        sum += n;
    std::printf("%zu numbers, sum %d\n", numbers->size(), sum);

    auto before = std::atomic_exchange(&numbers, std::make_shared<Numbers>(1, 7));
    std::printf("%zu, then %d\n", before->size(), numbers->front());
    std::atomic_store(&numbers, before);
    std::printf("%ld owners\n", before.use_count());

    std::weak_ptr<Numbers> weak = before;
    before.reset();
    numbers.reset();
    std::printf("gone: %d\n", weak.lock() == nullptr);
    try {
        std::shared_ptr<Numbers> again(weak);
    } catch (const std::bad_weak_ptr &) {
        std::printf("cannot be had again\n");
    }

    std::random_device random;
    std::uniform_int_distribution<int> die(1, 6);
    int thrown = die(random);
    std::printf("thrown: %d\n", 1 <= thrown && thrown <= 6);
}
