// verdict: NOT LINEARIZABLE
#include <linspect.h>
#include <atomic>
#include <cstdint>
struct Node { int key; std::atomic<uintptr_t> next; };
static Node *head;
static uintptr_t P(Node *n) { return (uintptr_t)n; } static Node *N(uintptr_t p) { return (Node *)(p & ~(uintptr_t)1); } static bool marked(uintptr_t p) { return p & 1; }
static bool find(int k, Node *&pred, Node *&cur) {
again:
    pred = head; cur = N(pred->next.load());
    while (cur) {
        uintptr_t s = cur->next.load();
        if (marked(s)) { uintptr_t e = P(cur); if (!pred->next.compare_exchange_strong(e, P(N(s)))) goto again; cur = N(s); continue; }
        if (cur->key >= k) return cur->key == k;
        pred = cur; cur = N(s);
    }
    return false;
}
static bool add(int k) { Node *n = nullptr; for (;;) { Node *p, *c; if (find(k, p, c)) { delete n; return false; } if (!n) n = new Node{k, {0}}; n->next = P(c); uintptr_t e = P(c); if (p->next.compare_exchange_strong(e, P(n))) return true; } }
static bool rem(int k) { for (;;) { Node *p, *c; if (!find(k, p, c)) return false; uintptr_t s = c->next.load(); if (marked(s)) continue; if (!c->next.compare_exchange_strong(s, s | 1)) continue; uintptr_t e = P(c); p->next.compare_exchange_strong(e, s); return true; } }
static bool has(int k) { Node *c = N(head->next.load()); while (c && c->key < k) c = N(c->next.load()); return c && c->key == k; }
LINSPECT_SETUP { head = new Node{-1, {0}}; }
LINSPECT_OP_RET(bool, add, add(k), int k, 1, 2)
LINSPECT_OP_RET(bool, remove, rem(k), int k, 1, 2)
LINSPECT_OP_RET(bool, contains, has(k), int k, 1, 2)
LINSPECT_SPEC(set)
