#include "opkit/base/large_pages.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace opkit {
namespace {

constexpr size_t kLine = 64, kPage = size_t{2} << 20;

}  // namespace

void* allocate_pages(size_t bytes) {
  const size_t unit = bytes < kPage ? kLine : kPage;
  const size_t room = (bytes + unit - 1) / unit * unit;
  void* memory = room < bytes ? nullptr : std::aligned_alloc(unit, room);
  if (!memory) throw std::bad_alloc();
  // A hint: without such pages it is the same memory, slower.
  if (unit == kPage) ::madvise(memory, room, MADV_HUGEPAGE);
  return memory;
}

void free_pages(void* memory) { std::free(memory); }

}  // namespace opkit
