// String streams, written, read, and used by threads.
#include <iomanip>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>
struct Point {
    int x, y;
};
std::ostream &operator<<(std::ostream &o, const Point &p) { return o << '(' << p.x << ", " << p.y << ')'; }
std::istream &operator>>(std::istream &i, Point &p) {
    char c;
    return i >> c >> p.x >> c >> p.y >> c;
}
class Log {
    std::mutex m;
    std::ostringstream out;

  public:
    template <class... A> void say(A &&...a) {
        std::ostringstream line;
        (line << ... << a);
        std::lock_guard l(m);
        out << line.str() << '\n';
    }
    std::string all() {
        std::lock_guard l(m);
        return out.str();
    }
};
int main() {
    std::ostringstream o;
    o << "x = " << 5 << ", " << std::hex << std::setw(6) << std::setfill('0') << 255 << std::dec << ' ' << 2.5 << ' '
      << Point{1, 2} << ' ' << true << std::boolalpha << true << ' ' << std::fixed << std::setprecision(3) << 1.0 / 3;
    std::cout << o.str() << ' ' << o.tellp() << '\n';
    o.str("");
    o.clear();
    o << 'c' << std::string("again") << std::ends;
    std::cout << o.str().size() << '\n';
    std::istringstream i("12 -7 3.5 word (3, 4) ff true rest of the line\nsecond line");
    int a, b;
    double d;
    std::string w;
    Point p;
    int h;
    bool t;
    i >> a >> b >> d >> w >> p >> std::hex >> h >> std::dec >> std::boolalpha >> t;
    std::string rest;
    std::getline(i, rest);
    std::cout << a << b << d << w << p << h << t << rest << '|';
    std::getline(i, rest);
    std::cout << rest << i.eof() << i.good() << !i << '\n';
    std::istringstream n("1 2 x 3");
    int sum = 0, v;
    while (n >> v) sum += v;
    std::cout << sum << n.fail() << n.eof();
    n.clear();
    char c;
    n >> c;
    n >> v;
    std::cout << c << v << '\n';
    std::stringstream ss;
    ss << 1 << ' ' << 2;
    int x, y;
    ss >> x >> y;
    std::cout << x + y << ss.str() << '\n';
    std::istringstream csv("a,b,,d");
    for (std::string f; std::getline(csv, f, ',');) std::cout << '[' << f << ']';
    std::cout << '\n';
    Log log;
    std::thread q([&] { log.say("thread ", 1); });
    q.join();
    log.say("main ", 2.5, ' ', 'x');
    std::cout << log.all();
    std::istringstream chars("ab c");
    std::cout << (char)chars.get() << (char)chars.peek() << (char)chars.get() << chars.get() << (char)chars.get()
              << chars.get() << '\n';
    std::ostringstream big;
    for (int k = 0; k < 200; k++) big << k << ',';
    std::cout << big.str().size() << '\n';
    std::istringstream ws("   x");
    ws >> std::ws;
    std::cout << (char)ws.peek();
    std::istringstream u("4000000000 99999999999 0x1f");
    unsigned un;
    int over;
    u >> un >> over;
    std::cout << un << ' ' << over << u.fail() << '\n';
    std::stringstream io(std::string("start"), std::ios::in | std::ios::out | std::ios::ate);
    io << "+end";
    std::cout << io.str() << ' ' << std::quoted("q\"x") << '\n';
}
