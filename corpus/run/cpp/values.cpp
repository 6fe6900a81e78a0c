// variant, any, optional, function, string and the containers.
#include <algorithm>
#include <any>
#include <array>
#include <bitset>
#include <charconv>
#include <deque>
#include <forward_list>
#include <functional>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <string_view>
#include <tuple>
#include <typeindex>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>
struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
};
struct Square : Shape {
    double s;
    explicit Square(double s) : s(s) {}
    double area() const override { return s * s; }
};
struct Circle : Shape {
    double r;
    explicit Circle(double r) : r(r) {}
    double area() const override { return 3 * r * r; }
};
template <class... F> struct Over : F... {
    using F::operator()...;
};
template <class... F> Over(F...) -> Over<F...>;
int main() {
    std::variant<int, std::string, std::vector<int>> v = "text";
    auto say =
        Over{[](int i) { return "int " + std::to_string(i); }, [](const std::string &s) { return "string " + s; },
             [](const std::vector<int> &x) { return "vector " + std::to_string(x.size()); }};
    std::cout << std::visit(say, v);
    v = std::vector{1, 2, 3};
    std::cout << ' ' << std::visit(say, v) << ' ' << v.index();
    try {
        (void)std::get<int>(v);
    } catch (const std::bad_variant_access &e) { std::cout << " bad " << e.what(); }
    std::cout << '\n';
    std::any a = 5;
    a = std::string("any");
    std::cout << std::any_cast<std::string>(a) << (std::any_cast<int>(&a) == nullptr);
    try {
        std::any_cast<int>(a);
    } catch (const std::bad_any_cast &e) { std::cout << ' ' << e.what(); }
    std::cout << ' ' << (a.type() == typeid(std::string)) << '\n';
    std::optional<std::string> o;
    std::cout << o.value_or("none");
    o.emplace(3, 'x');
    std::cout << *o;
    try {
        std::optional<int>().value();
    } catch (const std::bad_optional_access &e) { std::cout << ' ' << e.what(); }
    std::cout << '\n';
    std::function<int(int)> f = [k = 3](int x) { return x + k; };
    std::function<int(int)> g = std::bind(std::minus<int>(), std::placeholders::_1, 1);
    std::cout << f(g(10));
    try {
        std::function<void()>()();
    } catch (const std::bad_function_call &e) { std::cout << ' ' << e.what(); }
    std::cout << '\n';
    std::deque<int> d;
    for (int i = 0; i < 200; i++) {
        d.push_back(i);
        if (i % 3) d.push_front(-i);
    }
    d.erase(d.begin() + 5, d.begin() + 50);
    d.insert(d.begin() + 7, 1000);
    d.resize(100);
    std::cout << std::accumulate(d.begin(), d.end(), 0) << ' ' << d.at(7) << '\n';
    try {
        d.at(100);
    } catch (const std::out_of_range &e) { std::cout << e.what() << '\n'; }
    std::map<std::string, std::vector<int>> m;
    for (std::string w : {"one", "two", "three", "four", "five", "six"}) m[w].push_back((int)w.size());
    m.erase("two");
    auto [it, fresh] = m.try_emplace("one", 3);
    std::cout << fresh;
    for (auto &[k, x] : m) std::cout << ' ' << k << x[0];
    std::cout << ' ' << m.lower_bound("p")->first << m.count("two") << '\n';
    std::unordered_map<int, std::string> u{{1, "a"}, {2, "b"}};
    for (int i = 3; i < 40; i++) u.emplace(i, std::string(i, 'z'));
    u.erase(5);
    std::cout << u.size() << u.at(7) << '\n';

    std::set<std::pair<int, std::string>> s{{2, "b"}, {1, "a"}, {2, "a"}};
    std::multimap<int, int> mm{{1, 2}, {1, 1}, {0, 5}};
    std::unordered_set<std::string> us{"x", "y", "x"};
    std::cout << s.begin()->second << s.rbegin()->second << mm.count(1) << us.size() << us.count("y") << '\n';
    std::string t = "The quick brown fox";
    t.replace(4, 5, "slow");
    t += " jumps";
    t.insert(0, "> ");
    t.erase(t.find("brown"), 6);
    std::cout << t << ' ' << t.rfind('o') << ' ' << t.substr(2, 3) << ' ' << t.compare("> The") << ' '
              << std::stoi("42x") << std::stod("2.5") << std::stoul("ff", nullptr, 16) << '\n';
    try {
        std::stoi("none");
    } catch (const std::invalid_argument &e) { std::cout << e.what() << '\n'; }
    try {
        std::stoi("99999999999");
    } catch (const std::out_of_range &e) { std::cout << e.what() << '\n'; }
    std::string_view sv = t;
    sv.remove_prefix(2);
    std::cout << sv.substr(0, 3) << sv.find("fox") << (sv < "Z") << '\n';
    int parsed = 0;
    auto r = std::from_chars(sv.data(), sv.data(), parsed);
    char buf[16];
    auto w = std::to_chars(buf, buf + 16, 255, 16);
    std::cout << (int)r.ec << std::string(buf, w.ptr) << '\n';
    std::list<int> l{3, 1, 2};
    l.sort();
    l.push_front(0);
    l.remove(2);
    l.reverse();
    l.splice(l.begin(), std::list<int>{9, 8});
    for (int x : l) std::cout << x;
    std::forward_list<int> fl{1, 2};
    fl.push_front(0);
    fl.reverse();
    for (int x : fl) std::cout << x;
    std::cout << '\n';
    std::priority_queue<int, std::vector<int>, std::greater<>> pq;
    for (int x : {5, 1, 4}) pq.push(x);
    std::stack<int> st;
    st.push(1);
    std::queue<int> q;
    q.push(2);
    std::cout << pq.top() << st.top() << q.front() << '\n';
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.push_back(std::make_unique<Square>(2));
    shapes.push_back(std::make_unique<Circle>(1));
    for (auto &x : shapes) std::cout << x->area() << (dynamic_cast<Square *>(x.get()) != nullptr) << ' ';
    std::cout << typeid(*shapes[0]).name() << '\n';
    std::vector<int> nums(20);
    std::iota(nums.begin(), nums.end(), 1);
    std::rotate(nums.begin(), nums.begin() + 5, nums.end());
    std::partial_sort(nums.begin(), nums.begin() + 3, nums.end(), std::greater<>());
    nums.erase(std::remove_if(nums.begin(), nums.end(), [](int x) { return x % 2; }), nums.end());
    std::stable_sort(nums.begin(), nums.end());
    std::cout << nums.size() << nums[0] << *std::max_element(nums.begin(), nums.end())
              << std::binary_search(nums.begin(), nums.end(), 8) << '\n';
    std::bitset<70> bits;
    bits.set(3).set(69);
    bits.flip(0);
    std::cout << bits.count() << bits.test(69) << (bits << 1).test(4) << ' ' << std::bitset<8>(37).to_string() << '\n';
    std::array<int, 3> ar{3, 2, 1};
    std::sort(ar.begin(), ar.end());
    auto [x, y, z] = ar;
    std::tuple tp{1, 2.5, std::string("t")};
    std::cout << x << y << z << std::get<2>(tp) << (tp < std::tuple{1, 2.5, std::string("u")}) << '\n';
    std::vector<bool> vb(70, true);
    vb[3] = false;
    vb.push_back(false);
    std::cout << std::count(vb.begin(), vb.end(), true) << '\n';
    std::weak_ptr<int> wp;
    {
        auto sp = std::make_shared<int>(1);
        wp = sp;
        std::cout << wp.lock().use_count();
    }
    std::cout << wp.expired();
    try {
        std::shared_ptr<int> sp(wp);
    } catch (const std::bad_weak_ptr &e) { std::cout << e.what(); }
    std::cout << '\n';
    std::type_index ti = typeid(int);
    std::cout << (ti == typeid(int)) << ti.name() << '\n';
}
