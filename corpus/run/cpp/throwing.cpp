// Exceptions: of all types, nested, thrown again, carried to another thread, thrown by the library.
#include <exception>
#include <iostream>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>
struct Base : std::exception {
    const char *what() const noexcept override { return "base"; }
};
struct Derived : Base {
    int n;
    explicit Derived(int n) : n(n) {}
    const char *what() const noexcept override { return "derived"; }
};
struct Guard {
    const char *name;
    ~Guard() { std::cout << '~' << name << (std::uncaught_exceptions() ? "!" : "") << ' '; }
};
static std::mutex m;
static int locked;
int risky(int n) {
    std::lock_guard l(m);
    Guard g{"g"};
    locked++;
    switch (n) {
    case 0:
        return 0;
    case 1:
        throw 1;
    case 2:
        throw std::string("two");
    case 3:
        throw Derived(3);
    case 4:
        throw std::make_unique<int>(4);
    default:
        throw std::invalid_argument("five");
    }
}
void nested(int n) {
    try {
        risky(n);
    } catch (...) { std::throw_with_nested(std::runtime_error("outer")); }
}
struct Ctor {
    Guard a{"a"};
    std::vector<int> v;
    explicit Ctor(int n) : v(n) {
        if (n > 2) throw std::length_error("too long");
    }
};
int f() try { throw 5; } catch (int x) {
    return x;
}
int main() {
    for (int i = 0; i < 6; i++) try {
            std::cout << risky(i);
        } catch (int x) { std::cout << "int " << x; } catch (const std::string &s) {
            std::cout << s;
        } catch (Base &b) { std::cout << b.what() << dynamic_cast<Derived &>(b).n; } catch (std::unique_ptr<int> &p) {
            std::cout << *p;
        } catch (const std::exception &e) { std::cout << e.what(); }
    std::cout << '\n';
    try {
        nested(5);
    } catch (const std::exception &e) {
        std::cout << e.what();
        try {
            std::rethrow_if_nested(e);
        } catch (const std::exception &i) { std::cout << ' ' << i.what() << '\n'; }
    }
    try {
        Ctor c(3);
    } catch (const std::length_error &e) { std::cout << e.what() << '\n'; }
    std::cout << f() << '\n';
    std::exception_ptr shared;
    std::thread t([&] {
        try {
            risky(3);
        } catch (...) { shared = std::current_exception(); }
    });
    t.join();
    try {
        std::rethrow_exception(shared);
    } catch (Derived &d) { std::cout << d.n << '\n'; }
    try {
        try {
            throw Derived(1);
        } catch (Base &) { throw; }
    } catch (Derived &d) { std::cout << "again " << d.n << '\n'; }
    try {
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again), "pool");
    } catch (const std::system_error &e) { std::cout << e.what() << ' ' << e.code().value() << '\n'; }
    try {
        std::vector<int> v;
        v.reserve(v.max_size() + 1);
    } catch (const std::length_error &e) { std::cout << e.what() << '\n'; }
    try {
        std::string().at(1);
    } catch (const std::out_of_range &e) { std::cout << e.what() << '\n'; }
    struct Bad {};
    try {
        Base *b = new Derived(1);
        std::unique_ptr<Base> own(b);
        auto &r = dynamic_cast<Derived &>(*b);
        std::cout << r.n;
        struct Other : Base {};
        (void)dynamic_cast<Other &>(*b);
    } catch (const std::bad_cast &e) { std::cout << ' ' << e.what() << '\n'; }
    std::unique_lock<std::mutex> none;
    try {
        none.lock();
    } catch (const std::system_error &e) { std::cout << e.code().message() << '\n'; }
    std::cout << locked << noexcept(f()) << '\n';
}
