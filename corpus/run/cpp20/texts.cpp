// Strings and string streams as C++20 calls them: a stream takes a text over, and gives it away.
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

static std::mutex lock;
static std::string all;

static void add(int number) {
    std::stringstream in("12 abc");
    int read;
    std::string word;
    in >> read >> word;
    std::ostringstream out(std::string("pre"), std::ios::ate);
    out << read + number << word << std::boolalpha << true;
    std::string text = std::move(out).str();
    std::lock_guard<std::mutex> guard(lock);
    all += std::to_string(text.size());
}

int main() {
    std::thread one(add, 1), other(add, 2);
    one.join();
    other.join();
    std::istringstream in(std::string("5 6"));
    int a, b;
    in >> a >> b;
    std::stringstream both;
    both << "text" << a + b;
    std::cout << all << ' ' << both.view() << ' ' << both.str() << '\n';
    std::string taken = "other";
    both.str(std::move(taken));
    std::cout << both.view().size() << std::string_view(both.view()).starts_with("ot") << '\n';
    std::cout << std::wstring(L"wide and wider and wider").append(L"!").size() << '\n';
    return 0;
}
