// LargePages: memory for tensors. Large ones lie in pages of 2 MiB where the host gives them: a
// chip's memory has no host TLB, and a matrix that is read column block by column block touches a
// page of 4 KiB per row.
#ifndef OPKIT_BASE_LARGE_PAGES_H_
#define OPKIT_BASE_LARGE_PAGES_H_

#include <cstddef>
#include <new>

namespace opkit {

// Uninitialised bytes that start at a multiple of `alignment` (a power of two), and on a page when
// there are at least 2 MiB; nullptr: the host has no more. To be given back with free_pages.
void* allocate_pages(size_t bytes, size_t alignment = 64);
void free_pages(void* memory);
// Hints at memory that somebody else took: the pages that lie in it whole.
void want_large_pages(void* memory, size_t bytes);

// A standard allocator of them.
template <typename T>
struct LargePages {
  using value_type = T;
  LargePages() = default;
  template <typename Other>
  LargePages(const LargePages<Other>&) {}

  T* allocate(size_t n) {
    void* memory = allocate_pages(n * sizeof(T));
    if (!memory) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t) { free_pages(memory); }
  template <typename Other>
  bool operator==(const LargePages<Other>&) const {
    return true;
  }
};

}  // namespace opkit

#endif  // OPKIT_BASE_LARGE_PAGES_H_
