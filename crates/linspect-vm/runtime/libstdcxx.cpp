// What programs need of libstdc++'s shared library: the parts of its containers, strings and exceptions that are not in its headers.
// Compiled with the program, if the program refers to any of it; only what it needs is linked.
#include <cassert>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <unordered_map>

// Strings.
template class std::allocator<char>;
template class std::allocator<wchar_t>;

// Red-black trees (Cormen, Leiserson, Rivest, Stein: Introduction to Algorithms, chapter 13). The header node's parent is the
// root, its left and right are the first and the last node.
namespace {
using Node = std::_Rb_tree_node_base *;

bool is_red(Node n) { return n && n->_M_color == std::_S_red; }
void paint(Node n, std::_Rb_tree_color color) { n->_M_color = color; }
Node &child(Node n, bool left) { return left ? n->_M_left : n->_M_right; }
Node outermost(Node n, bool left) {
  while (child(n, left))
    n = child(n, left);
  return n;
}

// The parent of `old` adopts `now` in its place.
void put_in_place(Node old, Node now, Node &root) {
  Node parent = old->_M_parent;
  if (root == old)
    root = now;
  else
    child(parent, parent->_M_left == old) = now;
  if (now)
    now->_M_parent = parent;
}

void turn(Node x, bool left, Node &root) {
  Node y = child(x, !left), inner = child(y, left);
  put_in_place(x, y, root);
  child(x, !left) = inner;
  if (inner)
    inner->_M_parent = x;
  child(y, left) = x;
  x->_M_parent = y;
}

Node neighbour(Node x, bool left) {
  if (child(x, left))
    return outermost(child(x, left), !left);
  Node y = x->_M_parent;
  while (x == child(y, left)) {
    x = y;
    y = y->_M_parent;
  }
  return child(x, left) != y ? y : x;
}

// Puts the successor `y` of `z` where `z` is, and `z` where `y` was.
void exchange(Node z, Node y, Node &root) {
  Node above = y->_M_parent, below = y->_M_right;
  put_in_place(z, y, root);
  y->_M_left = z->_M_left;
  y->_M_left->_M_parent = y;
  if (above == z) {
    y->_M_right = z;
    z->_M_parent = y;
  } else {
    y->_M_right = z->_M_right;
    y->_M_right->_M_parent = y;
    above->_M_left = z;
    z->_M_parent = above;
  }
  z->_M_left = nullptr;
  z->_M_right = below;
  if (below)
    below->_M_parent = z;
  std::swap(y->_M_color, z->_M_color);
}

// One black node is missing on the way to `x`, a child of `parent`.
void repair(Node x, Node parent, Node &root) {
  while (x != root && !is_red(x)) {
    bool left = x == parent->_M_left;
    Node sibling = child(parent, !left);
    if (is_red(sibling)) {
      paint(sibling, std::_S_black);
      paint(parent, std::_S_red);
      turn(parent, left, root);
      sibling = child(parent, !left);
    }
    if (!is_red(sibling->_M_left) && !is_red(sibling->_M_right)) {
      paint(sibling, std::_S_red);
      x = parent;
      parent = parent->_M_parent;
      continue;
    }
    if (!is_red(child(sibling, !left))) {
      paint(child(sibling, left), std::_S_black);
      paint(sibling, std::_S_red);
      turn(sibling, !left, root);
      sibling = child(parent, !left);
    }
    paint(sibling, parent->_M_color);
    paint(parent, std::_S_black);
    paint(child(sibling, !left), std::_S_black);
    turn(parent, left, root);
    break;
  }
  if (x)
    paint(x, std::_S_black);
}
} // namespace

namespace std {
_Rb_tree_node_base *_Rb_tree_increment(_Rb_tree_node_base *x) throw() { return neighbour(x, false); }
const _Rb_tree_node_base *_Rb_tree_increment(const _Rb_tree_node_base *x) throw() {
  return neighbour(const_cast<_Rb_tree_node_base *>(x), false);
}
_Rb_tree_node_base *_Rb_tree_decrement(_Rb_tree_node_base *x) throw() {
  // The header is red, and its grandparent is itself.
  if (is_red(x) && x->_M_parent->_M_parent == x)
    return x->_M_right;
  return neighbour(x, true);
}
const _Rb_tree_node_base *_Rb_tree_decrement(const _Rb_tree_node_base *x) throw() {
  return _Rb_tree_decrement(const_cast<_Rb_tree_node_base *>(x));
}

void _Rb_tree_insert_and_rebalance(const bool left, _Rb_tree_node_base *x, _Rb_tree_node_base *parent,
                                   _Rb_tree_node_base &header) throw() {
  Node &root = header._M_parent;
  x->_M_parent = parent;
  x->_M_left = x->_M_right = nullptr;
  paint(x, _S_red);
  child(parent, left) = x;
  if (parent == &header) {
    root = x;
    header._M_left = header._M_right = x;
  } else if (parent == child(&header, left)) {
    child(&header, left) = x;
  }
  while (x != root && is_red(x->_M_parent)) {
    Node p = x->_M_parent, g = p->_M_parent;
    bool side = p == g->_M_left;
    Node uncle = child(g, !side);
    if (is_red(uncle)) {
      paint(p, _S_black);
      paint(uncle, _S_black);
      paint(g, _S_red);
      x = g;
      continue;
    }
    if (x == child(p, !side)) {
      x = p;
      turn(x, side, root);
      p = x->_M_parent;
    }
    paint(p, _S_black);
    paint(g, _S_red);
    turn(g, !side, root);
  }
  paint(root, _S_black);
}

_Rb_tree_node_base *_Rb_tree_rebalance_for_erase(_Rb_tree_node_base *const z, _Rb_tree_node_base &header) throw() {
  Node &root = header._M_parent;
  if (header._M_left == z)
    header._M_left = z->_M_right ? outermost(z->_M_right, true) : z->_M_parent;
  if (header._M_right == z)
    header._M_right = z->_M_left ? outermost(z->_M_left, false) : z->_M_parent;
  if (z->_M_left && z->_M_right)
    exchange(z, outermost(z->_M_right, true), root);
  Node only = z->_M_left ? z->_M_left : z->_M_right, parent = z->_M_parent;
  put_in_place(z, only, root);
  if (!is_red(z))
    repair(only, parent, root);
  return z;
}

// Lists.
namespace __detail {
void _List_node_base::_M_hook(_List_node_base *const before) noexcept {
  _M_next = before;
  _M_prev = before->_M_prev;
  before->_M_prev->_M_next = this;
  before->_M_prev = this;
}
void _List_node_base::_M_unhook() noexcept {
  _M_prev->_M_next = _M_next;
  _M_next->_M_prev = _M_prev;
}
void _List_node_base::_M_transfer(_List_node_base *const first, _List_node_base *const last) noexcept {
  if (this == last)
    return;
  _List_node_base *const end = last->_M_prev, *const front = _M_prev;
  first->_M_prev->_M_next = last;
  last->_M_prev = first->_M_prev;
  end->_M_next = this;
  _M_prev = end;
  front->_M_next = first;
  first->_M_prev = front;
}

void _List_node_base::_M_reverse() noexcept {
  _List_node_base *node = this;
  do {
    std::swap(node->_M_next, node->_M_prev);
    node = node->_M_prev;
  } while (node != this);
}
void _List_node_base::swap(_List_node_base &x, _List_node_base &y) noexcept {
  std::swap(x._M_next, y._M_next);
  std::swap(x._M_prev, y._M_prev);
  // An empty list points to itself.
  auto settle = [](_List_node_base &own, _List_node_base &other) {
    if (own._M_next == &other)
      own._M_next = own._M_prev = &own;
    else
      own._M_next->_M_prev = own._M_prev->_M_next = &own;
  };
  settle(x, y);
  settle(y, x);
}

// Hash tables. Sizes are the next primes, which the shared library takes from a list: the order of iteration may differ from it.
size_t _Prime_rehash_policy::_M_next_bkt(size_t n) const {
  size_t size = n < 2 ? 2 : n;
  for (;; size++) {
    bool prime = true;
    for (size_t d = 2; d * d <= size && prime; d++)
      prime = size % d != 0;
    if (prime)
      break;
  }
  _M_next_resize = static_cast<size_t>(size * static_cast<double>(_M_max_load_factor));
  return size;
}
pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements, size_t more) const {
  if (elements + more <= _M_next_resize)
    return {false, 0};
  size_t least = elements + more;
  if (_M_next_resize == 0 && least < 11)
    least = 11;
  double needed = least / static_cast<double>(_M_max_load_factor);
  if (needed >= buckets) {
    size_t wanted = static_cast<size_t>(needed) + 1;
    return {true, _M_next_bkt(wanted > buckets * 2 ? wanted : buckets * 2)};
  }
  _M_next_resize = static_cast<size_t>(buckets * static_cast<double>(_M_max_load_factor));
  return {false, 0};
}
} // namespace __detail

// FNV-1a.
size_t _Hash_bytes(const void *bytes, size_t length, size_t seed) {
  size_t hash = 0xcbf29ce484222325 ^ seed;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ static_cast<const unsigned char *>(bytes)[i]) * 0x100000001b3;
  return hash;
}

void __glibcxx_assert_fail(const char *file, int line, const char *function,
                                        const char *condition) noexcept {
  __assert_fail(condition, file, line, function);
}

// Exceptions. Their texts are plain C strings here.
exception::~exception() noexcept {}
const char *exception::what() const noexcept { return "std::exception"; }
bad_alloc::~bad_alloc() noexcept {}
const char *bad_alloc::what() const noexcept { return "std::bad_alloc"; }
bad_array_new_length::~bad_array_new_length() noexcept {}
const char *bad_array_new_length::what() const noexcept { return "std::bad_array_new_length"; }
nested_exception::~nested_exception() noexcept {}
bad_cast::~bad_cast() noexcept {}
const char *bad_cast::what() const noexcept { return "std::bad_cast"; }
bad_function_call::~bad_function_call() noexcept {}
const char *bad_function_call::what() const noexcept { return "bad_function_call"; }

__cow_string::__cow_string() : _M_p(strdup("")) {}
__cow_string::__cow_string(const std::string &s) : _M_p(strdup(s.c_str())) {}
__cow_string::__cow_string(const char *s, size_t) : _M_p(strdup(s)) {}
__cow_string::__cow_string(const __cow_string &other) noexcept : _M_p(strdup(other._M_p)) {}
__cow_string &__cow_string::operator=(const __cow_string &other) noexcept {
  char *copy = strdup(other._M_p);
  free(const_cast<char *>(_M_p));
  _M_p = copy;
  return *this;
}
__cow_string::~__cow_string() { free(const_cast<char *>(_M_p)); }
__cow_string::__cow_string(__cow_string &&other) noexcept : _M_p(strdup(other._M_p)) {}
__cow_string &__cow_string::operator=(__cow_string &&other) noexcept { return *this = other; }

logic_error::logic_error(const string &s) : _M_msg(s) {}
logic_error::logic_error(const char *s) : _M_msg(s, strlen(s)) {}
logic_error::logic_error(const logic_error &other) noexcept : exception(other), _M_msg(other._M_msg) {}
logic_error &logic_error::operator=(const logic_error &other) noexcept {
  _M_msg = other._M_msg;
  return *this;
}
logic_error::logic_error(logic_error &&other) noexcept : exception(other), _M_msg(other._M_msg) {}
logic_error &logic_error::operator=(logic_error &&other) noexcept { return *this = other; }
logic_error::~logic_error() noexcept {}
const char *logic_error::what() const noexcept { return _M_msg._M_p; }

runtime_error::runtime_error(const string &s) : _M_msg(s) {}
runtime_error::runtime_error(const char *s) : _M_msg(s, strlen(s)) {}
runtime_error::runtime_error(const runtime_error &other) noexcept : exception(other), _M_msg(other._M_msg) {}
runtime_error &runtime_error::operator=(const runtime_error &other) noexcept {
  _M_msg = other._M_msg;
  return *this;
}
runtime_error::runtime_error(runtime_error &&other) noexcept : exception(other), _M_msg(other._M_msg) {}
runtime_error &runtime_error::operator=(runtime_error &&other) noexcept { return *this = other; }
runtime_error::~runtime_error() noexcept {}
const char *runtime_error::what() const noexcept { return _M_msg._M_p; }

#define LINSPECT_EXCEPTION(NAME, BASE)                                                             \
  NAME::NAME(const string &s) : BASE(s) {}                                                         \
  NAME::NAME(const char *s) : BASE(s) {}                                                           \
  NAME::~NAME() noexcept {}
LINSPECT_EXCEPTION(domain_error, logic_error)
LINSPECT_EXCEPTION(invalid_argument, logic_error)
LINSPECT_EXCEPTION(length_error, logic_error)
LINSPECT_EXCEPTION(out_of_range, logic_error)
LINSPECT_EXCEPTION(range_error, runtime_error)
LINSPECT_EXCEPTION(overflow_error, runtime_error)
LINSPECT_EXCEPTION(underflow_error, runtime_error)

// What the headers throw by calling a function.
// The machine calls it where `operator new` fails.
__attribute__((used)) void __throw_bad_alloc() { throw bad_alloc(); }
void __throw_bad_array_new_length() { throw bad_array_new_length(); }
void __throw_bad_cast() { throw bad_cast(); }
void __throw_bad_function_call() { throw bad_function_call(); }
void __throw_logic_error(const char *s) { throw logic_error(s); }
void __throw_invalid_argument(const char *s) { throw invalid_argument(s); }
void __throw_length_error(const char *s) { throw length_error(s); }
void __throw_out_of_range(const char *s) { throw out_of_range(s); }
void __throw_out_of_range_fmt(const char *format, ...) {
  char text[256];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  throw out_of_range(text);
}
} // namespace std

// What the compiler throws by calling a function.
extern "C" void __cxa_bad_cast() { throw std::bad_cast(); }
