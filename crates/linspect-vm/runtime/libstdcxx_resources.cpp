// What programs need of libstdc++'s shared library to allocate from resources (`std::pmr`).
// Pools hand every block on to the resource behind them: where a block comes from is nobody's business, and each is checked by the machine's allocator.
#include <algorithm>
#include <atomic>
#include <memory_resource>
#include <mutex>
#include <new>

namespace std::pmr {

memory_resource::~memory_resource() = default;

namespace {
struct NewDelete final : memory_resource {
  void *do_allocate(size_t bytes, size_t align) override { return ::operator new(bytes, std::align_val_t(align)); }
  void do_deallocate(void *p, size_t bytes, size_t align) override {
    ::operator delete(p, bytes, std::align_val_t(align));
  }
  bool do_is_equal(const memory_resource &other) const noexcept override { return this == &other; }
};

struct Null final : memory_resource {
  void *do_allocate(size_t, size_t) override { std::__throw_bad_alloc(); }
  void do_deallocate(void *, size_t, size_t) override {}
  bool do_is_equal(const memory_resource &other) const noexcept override { return this == &other; }
};

NewDelete new_delete;
Null null;
std::atomic<memory_resource *> standard{&new_delete};
} // namespace

memory_resource *new_delete_resource() noexcept { return &new_delete; }
memory_resource *null_memory_resource() noexcept { return &null; }
memory_resource *get_default_resource() noexcept { return standard.load(); }
memory_resource *set_default_resource(memory_resource *now) noexcept {
  return standard.exchange(now ? now : &new_delete);
}

// Buffers that only grow: each begins with a note of its own, the youngest first.
class monotonic_buffer_resource::_Chunk {
public:
  _Chunk *next;
  size_t bytes, align;
};

void monotonic_buffer_resource::_M_new_buffer(size_t bytes, size_t align) {
  align = std::max(align, alignof(_Chunk));
  size_t note = (sizeof(_Chunk) + align - 1) / align * align;
  size_t room = std::max(bytes, _M_next_bufsiz), all = note + room;
  char *start = static_cast<char *>(_M_upstream->allocate(all, align));
  _M_head = new (start) _Chunk{_M_head, all, align};
  _M_current_buf = start + note;
  _M_avail = room;
  _M_next_bufsiz = _S_next_bufsize(room);
}

void monotonic_buffer_resource::_M_release_buffers() noexcept {
  while (_Chunk *chunk = _M_head) {
    _M_head = chunk->next;
    _M_upstream->deallocate(chunk, chunk->bytes, chunk->align);
  }
}

monotonic_buffer_resource::~monotonic_buffer_resource() { release(); }

struct __pool_resource::_BigBlock {
  void *start;
  size_t bytes, align;
};

__pool_resource::__pool_resource(const pool_options &options, memory_resource *upstream)
    : _M_opts(options), _M_unpooled(upstream), _M_npools(0) {}
__pool_resource::~__pool_resource() { release(); }

void *__pool_resource::allocate(size_t bytes, size_t align) {
  void *start = resource()->allocate(bytes, align);
  _M_unpooled.push_back({start, bytes, align});
  return start;
}

void __pool_resource::deallocate(void *start, size_t bytes, size_t align) {
  auto is_it = [start](const _BigBlock &block) { return block.start == start; };
  auto found = std::find_if(_M_unpooled.begin(), _M_unpooled.end(), is_it);
  if (found != _M_unpooled.end())
    _M_unpooled.erase(found);
  resource()->deallocate(start, bytes, align);
}

void __pool_resource::release() noexcept {
  for (_BigBlock &block : _M_unpooled)
    resource()->deallocate(block.start, block.bytes, block.align);
  _M_unpooled.clear();
  // What it is kept in comes from the same place.
  _M_unpooled.shrink_to_fit();
}

unsynchronized_pool_resource::unsynchronized_pool_resource(const pool_options &options, memory_resource *upstream)
    : _M_impl(options, upstream) {}
unsynchronized_pool_resource::~unsynchronized_pool_resource() = default;
void unsynchronized_pool_resource::release() { _M_impl.release(); }
void *unsynchronized_pool_resource::do_allocate(size_t bytes, size_t align) { return _M_impl.allocate(bytes, align); }
void unsynchronized_pool_resource::do_deallocate(void *start, size_t bytes, size_t align) {
  _M_impl.deallocate(start, bytes, align);
}

synchronized_pool_resource::synchronized_pool_resource(const pool_options &options, memory_resource *upstream)
    : _M_impl(options, upstream) {}
synchronized_pool_resource::~synchronized_pool_resource() = default;
void synchronized_pool_resource::release() {
  std::lock_guard<std::shared_mutex> guard(_M_mx);
  _M_impl.release();
}
void *synchronized_pool_resource::do_allocate(size_t bytes, size_t align) {
  std::lock_guard<std::shared_mutex> guard(_M_mx);
  return _M_impl.allocate(bytes, align);
}
void synchronized_pool_resource::do_deallocate(void *start, size_t bytes, size_t align) {
  std::lock_guard<std::shared_mutex> guard(_M_mx);
  _M_impl.deallocate(start, bytes, align);
}

} // namespace std::pmr
