#include "opkit/base/large_pages.h"

#include <sys/mman.h>

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

}  // namespace opkit
