// What libstdc++ keeps in its shared library: strings, trees, lists, hash tables, exceptions with texts.
#include <cstdio>
#include <list>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>

static unsigned state = 7;
static unsigned next() { return state = state * 1103515245 + 12345, state >> 16; }

static int checked(int n) {
  if (n > 3)
    throw std::out_of_range("too big: " + std::to_string(n));
  return n;
}

int main() {
  std::map<int, std::string> map;
  std::set<unsigned> set;
  for (int i = 0; i < 200; i++) {
    unsigned k = next() % 40;
    if (next() % 3)
      map[k] = "value " + std::to_string(i), set.insert(k);
    else
      map.erase(k), set.erase(k);
  }
  unsigned long hash = 0;
  for (auto &entry : map)
    hash = hash * 31 + entry.first + entry.second.size();
  std::printf("%zu %zu %lu %u\n", map.size(), set.size(), hash, *set.rbegin());

  std::list<int> list{3, 1, 2};
  list.sort();
  list.reverse();
  list.splice(list.begin(), std::list<int>{9, 8});
  for (int n : list)
    std::printf("%d ", n);

  std::unordered_map<std::string, int> counts;
  const char *words[] = {"a", "b", "a", "c", "b", "a"};
  for (auto word : words)
    counts[word]++;
  std::printf("%d%d%d\n", counts["a"], counts["b"], counts["c"]);

  std::string text = "linear";
  text += "izability";
  text.insert(0, "k-");
  std::printf("%s %zu %zu\n", text.c_str(), text.find("iz"), text.size());
  try {
    checked(2);
    checked(7);
  } catch (const std::exception &error) {
    std::printf("%s\n", error.what());
  }
  return 0;
}
