#include "opkit/base/large_pages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <new>
#include <vector>

namespace opkit {
namespace {

uintptr_t start_of(const void* memory) { return reinterpret_cast<uintptr_t>(memory); }

TEST(LargePages, StartOnALineOrOnAPage) {
  std::vector<char, LargePages<char>> small(100), large(size_t{5} << 20);
  EXPECT_EQ(start_of(small.data()) % 64, 0u);
  EXPECT_EQ(start_of(large.data()) % (size_t{2} << 20), 0u);
  large.back() = 1;
}

TEST(LargePages, NothingIsAlsoAnAllocation) {
  std::vector<char, LargePages<char>> none;
  none.resize(0);
  EXPECT_TRUE(none.empty());
  free_pages(allocate_pages(0));
}

TEST(LargePages, StartWhereTheCallerWants) {
  void* memory = allocate_pages(100, 4096);
  EXPECT_EQ(start_of(memory) % 4096, 0u);
  free_pages(memory);
}

TEST(LargePages, SayWhenThereIsNoMemory) {
  EXPECT_EQ(allocate_pages(std::numeric_limits<size_t>::max()), nullptr);
  EXPECT_EQ(allocate_pages(size_t{1} << 60), nullptr);
  LargePages<char> pages;
  EXPECT_THROW(pages.allocate(size_t{1} << 60), std::bad_alloc);
}

}  // namespace
}  // namespace opkit
