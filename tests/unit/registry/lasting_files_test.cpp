#include "registry/lasting_files.h"

#include "packages.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;
using LastingFilesTest = OppTest;

TEST_F(LastingFilesTest, ExchangeSwapsTwoDirectories) {
  write_text(opp_ / "a/f", "a");
  write_text(opp_ / "b/f", "b");
  ASSERT_TRUE(exchange(opp_ / "a", opp_ / "b").ok());
  EXPECT_EQ(read_text(opp_ / "a/f"), "b");
  EXPECT_EQ(read_text(opp_ / "b/f"), "a");
}

// The kernel's answer for a pair that cannot be swapped is the one of file systems that cannot
// swap.
TEST_F(LastingFilesTest, WhatCannotBeSwappedStays) {
  write_text(opp_ / "a/sub/f", "f");
  const Status status = exchange(opp_ / "a", opp_ / "a/sub");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, "OPK-INSTALL-008");
  EXPECT_NE(status.error().message.find("cannot swap directories in one step"), std::string::npos);
  EXPECT_EQ(read_text(opp_ / "a/sub/f"), "f");
}

// As in a container, whose image holds the directory: the system's answer is the same.
TEST_F(LastingFilesTest, WhatAnImageHoldsStays) {
  const fs::path other = fs::path("/dev/shm") / ("opkit_test_" + std::to_string(getpid()));
  std::error_code code;
  if (!fs::create_directory(other, code)) GTEST_SKIP() << "there is no second file system";
  write_text(opp_ / "a/f", "f");
  const Status moved = move_to_free_name(opp_ / "a", other / "a");
  const Status swapped = exchange(opp_ / "a", other);
  const bool apart = !fs::exists(other / "a");
  fs::remove_all(other, code);
  if (!apart) GTEST_SKIP() << "it is the same file system";
  ASSERT_FALSE(moved.ok() || swapped.ok());
  EXPECT_EQ(moved.error().code, "OPK-INSTALL-013");
  EXPECT_NE(moved.error().message.find((opp_ / "a").string() + " cannot be moved"),
            std::string::npos);
  EXPECT_EQ(swapped.error().code, "OPK-INSTALL-013");
  EXPECT_EQ(read_text(opp_ / "a/f"), "f");
}

TEST_F(LastingFilesTest, PruningStopsAtTheTopAndAtWhatIsNotEmpty) {
  fs::create_directories(opp_ / "vendors/a/op_pkg/X");
  write_text(opp_ / "vendors/b/keep", "x");
  fs::create_directories(opp_ / "vendors/b/op_pkg/X");
  prune_empty(opp_ / "vendors/a/op_pkg/X", opp_ / "vendors");
  prune_empty(opp_ / "vendors/b/op_pkg/X", opp_ / "vendors");
  EXPECT_FALSE(fs::exists(opp_ / "vendors/a"));
  EXPECT_TRUE(fs::exists(opp_ / "vendors/b/keep"));
  EXPECT_FALSE(fs::exists(opp_ / "vendors/b/op_pkg"));
}

}  // namespace
}  // namespace opkit::registry
