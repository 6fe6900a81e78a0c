// What compilers call for atomics of a size that they have no instruction for, or that is not what the processor was promised to have. Up to 16 bytes
// the machine has an instruction; what is larger is one step, as if under a lock.
#include <stddef.h>
#include <string.h>

extern "C" {
void linspect_atomic_begin();
void linspect_atomic_end();

#define LINSPECT_FOR_SIZE(SIZE, DO)                                                                \
  switch (SIZE) {                                                                                  \
  case 1: DO(unsigned char)                                                                        \
  case 2: DO(unsigned short)                                                                       \
  case 4: DO(unsigned int)                                                                         \
  case 8: DO(unsigned long)                                                                        \
  case 16: DO(unsigned __int128)                                                                   \
  }

// The names are taken by the compiler itself, so the symbols are said.
#define LINSPECT_SYMBOL(NAME) __asm__("__atomic_" #NAME)

void linspect_load(size_t, void *, void *, int) LINSPECT_SYMBOL(load);
void linspect_store(size_t, void *, void *, int) LINSPECT_SYMBOL(store);
void linspect_exchange(size_t, void *, void *, void *, int) LINSPECT_SYMBOL(exchange);
bool linspect_compare(size_t, void *, void *, void *, int, int) LINSPECT_SYMBOL(compare_exchange);

__attribute__((target("cx16"))) void linspect_load(size_t size, void *at, void *to, int order) {
#define LINSPECT_LOAD(T)                                                                           \
  {                                                                                                \
    T value = __atomic_load_n(static_cast<T *>(at), order);                                        \
    memcpy(to, &value, sizeof value);                                                              \
    return;                                                                                        \
  }
  LINSPECT_FOR_SIZE(size, LINSPECT_LOAD)
  linspect_atomic_begin();
  memcpy(to, at, size);
  linspect_atomic_end();
}

__attribute__((target("cx16"))) void linspect_store(size_t size, void *at, void *from, int order) {
#define LINSPECT_STORE(T)                                                                          \
  {                                                                                                \
    T value;                                                                                       \
    memcpy(&value, from, sizeof value);                                                            \
    __atomic_store_n(static_cast<T *>(at), value, order);                                          \
    return;                                                                                        \
  }
  LINSPECT_FOR_SIZE(size, LINSPECT_STORE)
  linspect_atomic_begin();
  memcpy(at, from, size);
  linspect_atomic_end();
}

__attribute__((target("cx16"))) void linspect_exchange(size_t size, void *at, void *from, void *to, int order) {
#define LINSPECT_EXCHANGE(T)                                                                       \
  {                                                                                                \
    T value;                                                                                       \
    memcpy(&value, from, sizeof value);                                                            \
    value = __atomic_exchange_n(static_cast<T *>(at), value, order);                               \
    memcpy(to, &value, sizeof value);                                                              \
    return;                                                                                        \
  }
  LINSPECT_FOR_SIZE(size, LINSPECT_EXCHANGE)
  linspect_atomic_begin();
  memcpy(to, at, size);
  memcpy(at, from, size);
  linspect_atomic_end();
}

__attribute__((target("cx16"))) bool linspect_compare(size_t size, void *at, void *expected, void *desired, int order,
                                                      int otherwise) {
#define LINSPECT_COMPARE(T)                                                                        \
  {                                                                                                \
    T wanted, value;                                                                               \
    memcpy(&wanted, expected, sizeof wanted);                                                      \
    memcpy(&value, desired, sizeof value);                                                         \
    bool equal = __atomic_compare_exchange_n(static_cast<T *>(at), &wanted, value, false, order, otherwise); \
    if (!equal)                                                                                    \
      memcpy(expected, &wanted, sizeof wanted);                                                    \
    return equal;                                                                                  \
  }
  LINSPECT_FOR_SIZE(size, LINSPECT_COMPARE)
  linspect_atomic_begin();
  bool equal = memcmp(at, expected, size) == 0;
  if (equal)
    memcpy(at, desired, size);
  else
    memcpy(expected, at, size);
  linspect_atomic_end();
  return equal;
}
}
