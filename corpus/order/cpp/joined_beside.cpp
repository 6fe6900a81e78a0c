// exit 1: DATA RACE
// One thread asks whether a thread can be joined while another joins it.
#include <thread>

int main() {
    std::thread rests([] {});
    std::thread asks([&] { (void)rests.joinable(); });
    rests.join();
    asks.join();
}
