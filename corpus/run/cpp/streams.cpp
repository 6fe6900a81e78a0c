// What << prints, with the formats that manipulators set.
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <new>
#include <thread>

struct alignas(64) Aligned { int x; };

int main() {
    std::ios_base::sync_with_stdio(false);
    short s = -3;
    unsigned short u = 65535;
    std::cout << s << ' ' << u << ' ' << -1 << ' ' << 1u << ' ' << -2L << ' ' << 3UL << '\n';
    std::cout << 1.5 << ' ' << 0.1f << ' ' << 1e100 << ' ' << 2.5L << ' ' << true << ' ' << (void *)0 << '\n';
    std::cout << std::hex << 255 << ' ' << std::showbase << s << ' ' << u << std::dec << ' ' << 255 << '\n';
    std::cout << std::setw(6) << 42 << '|' << std::left << std::setw(6) << 42 << '|' << std::right << std::setfill('*') << std::setw(5) << "ab" << '\n';
    std::cout << std::fixed << std::setprecision(2) << 3.14159 << ' ' << std::scientific << 12345.678 << ' ' << std::boolalpha << false << '\n';
    std::cout << std::internal << std::setw(8) << -42 << ' ' << std::showpos << 7 << std::noshowpos << std::oct << ' ' << 8 << std::endl;
    Aligned *a = new (std::nothrow) Aligned;
    a->x = 1;
    std::cerr << "not in the output" << std::endl;
    std::thread t([a] { std::cout << a->x << std::flush << '\n'; });
    t.join();
    delete a;
    int *many = new (std::nothrow) int[4]();
    delete[] many;
    exit(0);
}
