// A Treiber stack in C++: std::atomic members, methods, a global constructor, two threads.
#include <atomic>
#include <cstdio>
#include <thread>

struct Node {
  int value;
  Node *next;
};

class Stack {
  std::atomic<int> length;
  std::atomic<Node *> head;
  struct {
    int pushed, popped;
  } last;

public:
  Stack() : length(0), head(nullptr), last{-1, -1} {}

  void push(Node *node) {
    Node *old = head.load(std::memory_order_acquire);
    do {
      node->next = old;
    } while (!head.compare_exchange_weak(old, node));
    length++;
  }

  int pop() {
    Node *top = head.load();
    while (top && !head.compare_exchange_strong(top, top->next)) {
    }
    last.popped = top ? top->value : -1;
    return last.popped;
  }

  int size() const { return length; }
};

static Stack stack;
static Node nodes[3];

int main() {
  for (int i = 0; i < 3; i++)
    nodes[i].value = i + 1;
  std::thread a([] { stack.push(&nodes[0]); });
  std::thread b([] { stack.push(&nodes[1]); });
  a.join();
  b.join();
  int sum = stack.pop();
  sum += stack.pop();
  std::printf("%d %d %d\n", sum, stack.pop(), stack.size());
  return 0;
}
