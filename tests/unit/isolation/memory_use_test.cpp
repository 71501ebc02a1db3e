#include "opkit/isolation/memory_use.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace opkit::isolation {
namespace {

constexpr uint64_t kMebibyte = uint64_t{1} << 20;

constexpr const char* kMaps =
    "00400000-00500000 r-xp 00000000 fd:01 77   /usr/bin/worker\n"
    "Size:               1024 kB\n"
    "Rss:                 512 kB\n"
    "7f0000000000-7f0000100000 rw-p 00000000 00:00 0 \n"
    "Rss:                 100 kB\n"
    "7f0000200000-7f0000300000 rw-s 00000000 00:01 12   /memfd:opkit-inputs (deleted)\n"
    "Rss:                 200 kB\n"
    "7f0000400000-7f0000500000 rw-s 00000000 00:01 13   /memfd:hoard (deleted)\n"
    "Rss:                 300 kB\n"
    "7f0000600000-7f0000700000 rw-s 00000000 00:01 14   /dev/zero (deleted)\n"
    "Rss:                 400 kB\n"
    "7ffc00000000-7ffc00100000 rw-p 00000000 00:00 0   [stack]\n"
    "Rss:                  20 kB\n";

TEST(MemoryUse, PagesOfNoFileAndOfFilesInMemoryCount) {
  EXPECT_EQ(resident_in(kMaps, {}), (100u + 200 + 300 + 400 + 20) << 10);
  EXPECT_EQ(resident_in(kMaps, {12, 13}), (100u + 400 + 20) << 10);
  EXPECT_EQ(resident_in("", {}), 0u);
  EXPECT_EQ(resident_in("Rss: 4 kB\nx-y z\n- - - - 5\nRss:", {}), 0u);
}

TEST(MemoryUse, SeesWhatThisProcessHides) {
  const auto use = [] { return memory_use(::getpid(), {}).value_or(0); };
  const uint64_t before = use();
  if (before == 0) GTEST_SKIP() << "this process cannot look at itself";
  const int file = ::memfd_create("hoard", MFD_CLOEXEC);
  ASSERT_GE(file, 0);
  const std::string bytes(8 * kMebibyte, 'x');
  ASSERT_EQ(::write(file, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  const uint64_t with_file = use();
  EXPECT_GE(with_file, before + 8 * kMebibyte);
  EXPECT_LT(memory_use(::getpid(), {file_in_memory(file).inode}).value_or(0),
            with_file - 7 * kMebibyte);
  EXPECT_GE(file_in_memory(file).bytes, 8 * kMebibyte);
  void* shared =
      ::mmap(nullptr, 8 * kMebibyte, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  std::memset(shared, 1, 8 * kMebibyte);
  EXPECT_GE(use(), with_file + 7 * kMebibyte);
  EXPECT_GE(memory_use_at_most(::getpid(), {}).value_or(0), use());
  ::munmap(shared, 8 * kMebibyte);
  ::close(file);
}

TEST(MemoryUse, OfNobodyIsNotKnown) { EXPECT_FALSE(memory_use(-1, {})); }

}  // namespace
}  // namespace opkit::isolation
