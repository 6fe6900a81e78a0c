// verdict: NOT LINEARIZABLE
#include <linspect.h>
#include <shared_mutex>
#include <mutex>
#include <map>
#include <optional>
#include <memory>
struct Map { std::shared_mutex m; std::map<int, int> d;
  std::optional<int> get(int k) { std::shared_lock l(m); auto i = d.find(k); if (i == d.end()) return std::nullopt; return i->second; }
  std::optional<int> put(int k, int v) { auto o = get(k); std::unique_lock l(m); d[k] = v; return o; }
  int size() { std::shared_lock l(m); return d.size(); } };
LINSPECT_OBJECT(std::unique_ptr<Map>, m, std::make_unique<Map>())
LINSPECT_OP_RET(std::optional<int>, get, m->get(k), int k, 1)
LINSPECT_OP2_RET(std::optional<int>, put, m->put(k, v), int k, int v, 1, 1, 1, 2)
LINSPECT_OP_RET(int, size, m->size())
