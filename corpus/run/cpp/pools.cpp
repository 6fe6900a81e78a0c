// Memory resources.
#include <cstddef>
#include <iostream>
#include <list>
#include <map>
#include <memory_resource>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
struct Counting : std::pmr::memory_resource {
    int news = 0, deletes = 0;
    void *do_allocate(std::size_t n, std::size_t a) override {
        news++;
        return std::pmr::new_delete_resource()->allocate(n, a);
    }
    void do_deallocate(void *p, std::size_t n, std::size_t a) override {
        deletes++;
        std::pmr::new_delete_resource()->deallocate(p, n, a);
    }
    bool do_is_equal(const memory_resource &o) const noexcept override { return this == &o; }
};
int main() {
    Counting c;
    {
        std::byte buf[256];
        std::pmr::monotonic_buffer_resource mono(buf, sizeof buf, &c);
        std::pmr::vector<int> v(&mono);
        for (int i = 0; i < 100; i++) v.push_back(i);
        std::pmr::string s("a long string that does not fit inside", &mono);
        std::cout << v.size() << s.size() << (c.news > 0) << '\n';
    }
    std::cout << (c.news == c.deletes) << '\n';
    std::pmr::synchronized_pool_resource pool(&c);
    std::thread a([&] { std::pmr::list<int> l({1, 2, 3}, &pool); }), b([&] {
        std::pmr::map<int, int> m(&pool);
        m[1] = 2;
    });
    a.join();
    b.join();
    std::pmr::unsynchronized_pool_resource up;
    std::pmr::unordered_map<int, std::pmr::string> um(&up);
    um.emplace(1, "x");
    um[2] = "y";
    std::cout << um.size() << um[1] << um.get_allocator().resource()->is_equal(up) << '\n';
    pool.release();
    std::cout << (c.news == c.deletes) << '\n';
    std::pmr::set_default_resource(&c);
    {
        std::pmr::vector<std::pmr::string> vs;
        vs.emplace_back("another long string, on the default resource");
    }
    std::pmr::set_default_resource(nullptr);
    try {
        std::pmr::vector<int> n(std::pmr::null_memory_resource());
        n.push_back(1);
    } catch (const std::bad_alloc &) { std::cout << "bad_alloc\n"; }
    std::pmr::polymorphic_allocator<int> pa;
    int *p = pa.allocate(3);
    pa.deallocate(p, 3);
}
