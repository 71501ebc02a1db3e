#include "registry/staging.h"

#include <sys/stat.h>

#include <atomic>
#include <memory>
#include <thread>

#include "packages.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;
using StagingTest = OppTest;

TEST_F(StagingTest, ExchangeSwapsTwoDirectories) {
  write_text(opp_ / "a/f", "a");
  write_text(opp_ / "b/f", "b");
  ASSERT_TRUE(exchange(opp_ / "a", opp_ / "b").ok());
  EXPECT_EQ(read_text(opp_ / "a/f"), "b");
  EXPECT_EQ(read_text(opp_ / "b/f"), "a");
}

// The kernel's answer for a pair that cannot be swapped is the one of file systems that cannot
// swap.
TEST_F(StagingTest, WhatCannotBeSwappedStays) {
  write_text(opp_ / "a/sub/f", "f");
  const Status status = exchange(opp_ / "a", opp_ / "a/sub");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, "OPK-INSTALL-008");
  EXPECT_NE(status.error().message.find("cannot swap directories in one step"), std::string::npos);
  EXPECT_EQ(read_text(opp_ / "a/sub/f"), "f");
}

TEST_F(StagingTest, ALockIsFreedAtTheEndOfItsLife) {
  {
    const OppLock lock = *OppLock::acquire(opp_, std::chrono::seconds(0));
    EXPECT_EQ(OppLock::acquire(opp_, std::chrono::seconds(0)).error().code, "OPK-INSTALL-003");
  }
  EXPECT_TRUE(OppLock::acquire(opp_, std::chrono::seconds(0)).ok());
}

// Whoever takes the lock removes what killed installers left, and not what others have just made.
TEST_F(StagingTest, AStageIsNoLeftoverOfAnybody) {
  std::atomic<bool> over = false;
  std::thread other([&] {
    while (!over) (void)OppLock::acquire(opp_, std::chrono::seconds(0));
  });
  int lost = 0;
  for (int i = 0; i < 3000; ++i) {
    const Result<Stage> stage = Stage::make(opp_);
    ASSERT_TRUE(stage.ok()) << stage.error().to_string();
    std::error_code code;
    fs::create_directory(stage->path() / "package", code);
    std::this_thread::yield();
    lost += !fs::exists(stage->path() / "package", code);
  }
  over = true;
  other.join();
  EXPECT_EQ(lost, 0);
}

TEST_F(StagingTest, AWaitingInstallerGetsTheLock) {
  auto lock = std::make_unique<OppLock>(*OppLock::acquire(opp_, std::chrono::seconds(0)));
  std::thread other([&] { EXPECT_TRUE(OppLock::acquire(opp_, std::chrono::seconds(60)).ok()); });
  lock.reset();
  other.join();
}

TEST_F(StagingTest, PruningStopsAtTheTopAndAtWhatIsNotEmpty) {
  fs::create_directories(opp_ / "vendors/a/op_pkg/X");
  write_text(opp_ / "vendors/b/keep", "x");
  fs::create_directories(opp_ / "vendors/b/op_pkg/X");
  prune_empty(opp_ / "vendors/a/op_pkg/X", opp_ / "vendors");
  prune_empty(opp_ / "vendors/b/op_pkg/X", opp_ / "vendors");
  EXPECT_FALSE(fs::exists(opp_ / "vendors/a"));
  EXPECT_TRUE(fs::exists(opp_ / "vendors/b/keep"));
  EXPECT_FALSE(fs::exists(opp_ / "vendors/b/op_pkg"));
}

TEST_F(StagingTest, OnlyPlainFilesAreCopied) {
  fs::create_directories(opp_ / "from");
  ASSERT_EQ(mkfifo((opp_ / "from/pipe").c_str(), 0600), 0);
  const Status status = copy_tree(opp_ / "from", opp_ / "to");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, "OPK-INSTALL-005");
  EXPECT_NE(status.error().message.find("is neither a file nor a directory"), std::string::npos);
}

}  // namespace
}  // namespace opkit::registry
