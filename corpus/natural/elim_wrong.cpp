// verdict: NOT LINEARIZABLE
// client: [push(1)] push(1) | push(1) | pop [pop pop pop]
// Treiber's stack with one place for elimination.
#include <linspect.h>
#include <atomic>
struct Node { int v; Node *next; };
static std::atomic<Node *> top; static std::atomic<int> slot; // 0 free, v>0 offered, -1 taken
static void push(int v) {
    Node *n = new Node{v, nullptr};
    for (;;) {
        n->next = top.load();
        if (top.compare_exchange_strong(n->next, n)) return;
        int z = 0;
        if (slot.compare_exchange_strong(z, v)) {
            int e = v;
            bool taken = slot.load() == -1; slot = 0; if (taken) { delete n; return; }
        }
    }
}
static int pop() {
    for (;;) {
        Node *t = top.load(); if (!t) return 0;
        if (top.compare_exchange_strong(t, t->next)) return t->v;
        int o = slot.load();
        if (o > 0 && slot.compare_exchange_strong(o, -1)) return o;
    }
}
LINSPECT_SETUP { top = nullptr; slot = 0; }
LINSPECT_OP(push, push(v), int v, 1, 2)
LINSPECT_OP_RET(int, pop, pop())
LINSPECT_SPEC(stack, .empty = 0)
