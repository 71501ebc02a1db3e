#include "registry/opp_lock.h"

#include <atomic>
#include <memory>
#include <thread>

#include "packages.h"
#include "registry/stage.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;
using OppLockTest = OppTest;

TEST_F(OppLockTest, ALockIsFreedAtTheEndOfItsLife) {
  {
    const OppLock lock = *OppLock::acquire(opp_, std::chrono::seconds(0));
    EXPECT_EQ(OppLock::acquire(opp_, std::chrono::seconds(0)).error().code, "OPK-INSTALL-003");
  }
  EXPECT_TRUE(OppLock::acquire(opp_, std::chrono::seconds(0)).ok());
}

// Whoever takes the lock removes what killed installers left, and not what others have just made.
TEST_F(OppLockTest, AStageIsNoLeftoverOfAnybody) {
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

TEST_F(OppLockTest, AWaitingInstallerGetsTheLock) {
  auto lock = std::make_unique<OppLock>(*OppLock::acquire(opp_, std::chrono::seconds(0)));
  std::thread other([&] { EXPECT_TRUE(OppLock::acquire(opp_, std::chrono::seconds(60)).ok()); });
  lock.reset();
  other.join();
}

}  // namespace
}  // namespace opkit::registry
