#include "opkit/base/large_pages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <new>
#include <string>
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
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers end a process that asks for so much";
#endif
  EXPECT_EQ(allocate_pages(std::numeric_limits<size_t>::max()), nullptr);
  EXPECT_EQ(allocate_pages(size_t{1} << 60), nullptr);
  LargePages<char> pages;
  EXPECT_THROW(pages.allocate(size_t{1} << 60), std::bad_alloc);
}

// The bytes of a piece of 8 MiB that the kernel shows with the hint.
size_t hinted_bytes(const void* memory) {
  std::ifstream maps("/proc/self/smaps");
  uintptr_t begin = 0, end = 0;
  size_t bytes = 0;
  for (std::string line; std::getline(maps, line);) {
    uintptr_t from = 0, to = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &from, &to) == 2) begin = from, end = to;
    const bool inside = begin >= start_of(memory) && end <= start_of(memory) + (size_t{8} << 20);
    if (inside && line.starts_with("VmFlags:") && line.find(" hg") != std::string::npos)
      bytes += end - begin;
  }
  return bytes;
}

TEST(LargePages, AreWantedOfThePagesThatLieWholeInAPiece) {
  constexpr size_t kPage = size_t{2} << 20;
  auto* const memory = static_cast<char*>(std::aligned_alloc(kPage, 4 * kPage));
  memory[0] = memory[3 * kPage] = 5;
  want_large_pages(memory + 100, kPage);  // ends and begins in the middle of two
  EXPECT_EQ(hinted_bytes(memory), 0u);
  want_large_pages(memory + 100, 3 * kPage);
  const size_t hinted = hinted_bytes(memory);
  EXPECT_TRUE(hinted == 2 * kPage || !std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"))
      << hinted;
  EXPECT_EQ(memory[0] + memory[3 * kPage], 10);
  std::free(memory);
}

}  // namespace
}  // namespace opkit
