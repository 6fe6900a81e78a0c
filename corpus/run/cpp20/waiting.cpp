// C++20's semaphores, latches, barriers, and waiting on atomics.
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <latch>
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> slots(1);
static std::binary_semaphore item(0);
static std::latch started(3);
static std::atomic<int> value(0);
static std::atomic_flag flag = ATOMIC_FLAG_INIT;
static int phases, sum, box;

int main() {
    auto phase = []() noexcept { phases++; };
    std::barrier meet(2, phase);
    std::thread producer([&] {
        started.count_down();
        for (int n = 1; n <= 2; n++) {
            slots.acquire();
            box = n;
            item.release();
        }
        meet.arrive_and_wait();
        value.store(1);
        value.notify_all();
        meet.arrive_and_wait();
    });
    std::thread consumer([&] {
        started.arrive_and_wait();
        for (int n = 1; n <= 2; n++) {
            item.acquire();
            sum += box;
            slots.release();
        }
        meet.arrive_and_wait();
        value.wait(0);
        flag.test_and_set();
        flag.notify_one();
        auto token = meet.arrive();
        meet.wait(std::move(token));
    });
    started.arrive_and_wait();
    flag.wait(false);
    producer.join();
    consumer.join();
    std::printf("sum %d phases %d value %d\n", sum, phases, value.load());
    std::printf("try %d %d\n", slots.try_acquire(), slots.try_acquire());
    std::printf("late %d\n", slots.try_acquire_for(std::chrono::milliseconds(1)));
    std::printf("latch %d max %td\n", started.try_wait(), slots.max());
}
