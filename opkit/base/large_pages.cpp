#include "opkit/base/large_pages.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace opkit {
namespace {

constexpr size_t kLargePage = size_t{2} << 20;

}  // namespace

void* allocate_pages(size_t bytes, size_t alignment) {
  const size_t unit = bytes < kLargePage ? alignment : kLargePage;
  const size_t room = (bytes + unit - 1) / unit * unit;
  void* memory = room < bytes ? nullptr : std::aligned_alloc(unit, room);
  // A hint: without such pages it is the same memory, slower.
  if (memory && unit == kLargePage) ::madvise(memory, room, MADV_HUGEPAGE);
  return memory;
}

void free_pages(void* memory) { std::free(memory); }

void want_large_pages(void* memory, size_t bytes) {
  const auto from = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t begin = (from + kLargePage - 1) / kLargePage * kLargePage;
  const uintptr_t end = (from + bytes) / kLargePage * kLargePage;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace opkit
