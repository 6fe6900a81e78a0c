// Memory resources, and the categories of errors.
#include <cstdio>
#include <memory_resource>
#include <string>
#include <system_error>
#include <vector>

int main() {
  char buffer[64];
  std::pmr::monotonic_buffer_resource growing(buffer, sizeof buffer);
  std::pmr::vector<int> numbers(&growing);
  for (int i = 0; i < 100; i++)
    numbers.push_back(i);
  std::printf("%d %zu\n", numbers[99], numbers.size());
  growing.release();

  std::pmr::unsynchronized_pool_resource pool;
  std::pmr::vector<std::pmr::string> words(&pool);
  words.emplace_back("short");
  words.emplace_back("a text that is too long to lie in the string itself");
  std::printf("%s %d\n", words[1].c_str(), words[1].get_allocator().resource() == &pool);
  void *kept = pool.allocate(100, 32);
  std::printf("%d\n", (int)((unsigned long)kept % 32));

  std::pmr::synchronized_pool_resource shared({8, 64}, &growing);
  void *block = shared.allocate(16);
  shared.deallocate(block, 16);
  std::printf("%zu\n", shared.options().largest_required_pool_block > 0 ? (size_t)1 : 0);

  std::pmr::memory_resource *before = std::pmr::set_default_resource(&pool);
  std::printf("%d %d\n", before == std::pmr::new_delete_resource(), std::pmr::get_default_resource() == &pool);
  std::pmr::set_default_resource(nullptr);
  try {
    (void)std::pmr::null_memory_resource()->allocate(1);
  } catch (const std::bad_alloc &) {
    std::puts("nothing to give");
  }

  std::error_code late = std::make_error_code(std::errc::timed_out);
  std::printf("%d %s %d\n", late.value(), late.category().name(), late == std::errc::timed_out);
  std::error_code system(13, std::system_category());
  std::printf("%s %d\n", system.category().name(), system == std::errc::permission_denied);
}
