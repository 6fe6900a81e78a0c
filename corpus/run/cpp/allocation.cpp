// operator new and delete in all their forms: plain, of arrays, aligned, that do not throw; and requests that nobody can meet.
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <new>
#include <vector>

struct alignas(64) Line {
    int value = 7;
};
struct alignas(256) Wide {
    char bytes[300];
};

static bool is_aligned(const void *p, std::uintptr_t to) { return reinterpret_cast<std::uintptr_t>(p) % to == 0; }

template <typename F> static void attempt(const char *what, F f) {
    try {
        f();
        std::printf("%s: given\n", what);
    } catch (const std::bad_array_new_length &) {
        std::printf("%s: length\n", what);
    } catch (const std::bad_alloc &error) {
        std::printf("%s: %s\n", what, error.what());
    }
}

int main() {
    auto *one = new Line;
    auto *some = new Line[3];
    auto *wide = new (std::nothrow) Wide;
    auto *quiet = new (std::nothrow) int[4]{1, 2, 3, 4};
    std::printf("%d %d %d\n", is_aligned(one, 64), is_aligned(some, 64), is_aligned(wide, 256));
    std::printf("%d %d\n", one->value + some[2].value, quiet[3]);
    delete one;
    delete[] some;
    delete wide;
    delete[] quiet;
    void *raw = operator new(10);
    operator delete(raw);
    raw = operator new(10, std::align_val_t(128));
    std::printf("%d\n", is_aligned(raw, 128));
    operator delete(raw, 10, std::align_val_t(128));
    raw = operator new[](10, std::align_val_t(512), std::nothrow);
    std::printf("%d\n", is_aligned(raw, 512));
    operator delete[](raw, std::align_val_t(512), std::nothrow);
    {
        auto shared = std::make_shared<Line>();
        std::vector<Line> lines(2);
        std::printf("%d %d\n", is_aligned(shared.get(), 64), is_aligned(&lines[1], 64));
    }
    volatile std::size_t absurd = std::size_t(1) << 62;
    volatile std::ptrdiff_t minus = -1;
    attempt("absurd", [&] { delete[] new char[absurd]; });
    attempt("operator", [&] { operator delete(operator new(absurd)); });
    attempt("aligned", [&] { operator delete(operator new(absurd, std::align_val_t(64)), std::align_val_t(64)); });
    attempt("minus", [&] { delete[] new int[minus]; });
    attempt("vector", [&] { std::vector<char> v; v.reserve(absurd); });
    std::printf("quiet %d\n", new (std::nothrow) char[absurd] == nullptr);
    std::printf("end\n");
}
