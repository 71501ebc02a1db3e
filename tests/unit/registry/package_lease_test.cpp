#include "registry/package_lease.h"
#include "registry/opp_lock.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <thread>

#include "packages.h"
#include "registry/install.h"
#include "registry/opp_layout.h"
#include "registry/package.h"
#include "registry/upgrade.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

class PackageLeaseTest : public OppTest {
 protected:
  bool add(const fs::path& source, bool force = false) const {
    const InstallRequest request{.source = source, .opp = opp_, .force = force, .probe = false};
    return install(request, this_host()).ok();
  }
  fs::path place(const std::string& version = "1.0.0") const {
    return package_folder(opp_, "acme", "AddRelu", version);
  }
  bool remove() const { return uninstall({.opp = opp_, .op = "AddRelu"}).ok(); }
  bool next_installer() const { return OppLock::acquire(opp_, std::chrono::seconds(1)).ok(); }
  // Directories that were moved away and are still there.
  int kept() const {
    int count = 0;
    for (const auto& each : fs::directory_iterator(opp_ / kWorkFolder)) {
      const fs::path name = each.path().filename();
      count += each.is_directory() && name != "rolled-back" && name != "reserve";
    }
    return count;
  }
  bool usable(const fs::path& directory) const {
    return check_package(directory, this_host(), {"acme", "AddRelu", {}}).usable();
  }

  const fs::path first_ = write_package(folder_.path() / "first");
  const fs::path second_ =
      write_package(folder_.path() / "second", {.version = "1.2.0", .plugin = "good_1_2"});
};

// As `opkit rollback` and `opkit rollback --undo` beside a reader do.
TEST_F(PackageLeaseTest, AReaderLooksAgainWhenItsPackageWentAndCameBack) {
  ASSERT_TRUE(add(first_));
  const PackageLease lease(place());
  int looks = 0;
  const bool whole = lease.reading([&](const fs::path& at) {
    if (++looks > 1) return usable(at);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the file system's clock ticks
    fs::rename(place(), folder_.path() / "away");
    const bool found = usable(at);
    fs::rename(folder_.path() / "away", place());
    return found;
  });
  EXPECT_TRUE(whole);
  EXPECT_EQ(looks, 2);
}

TEST_F(PackageLeaseTest, AReplacedPackageStaysUntilItsLeaseEnds) {
  ASSERT_TRUE(add(first_));
  const std::string before = snapshot(place());
  const fs::path other = write_package(folder_.path() / "other");
  write_text(other / "docs/new.md", "new");
  declare_files(other);
  std::optional<PackageLease> lease(place());
  EXPECT_EQ(lease->directory(), place());
  ASSERT_TRUE(add(other, true));
  EXPECT_EQ(snapshot(place()), snapshot(other));
  EXPECT_NE(lease->directory(), place());
  EXPECT_EQ(snapshot(lease->directory()), before);
  EXPECT_TRUE(usable(lease->directory()));
  EXPECT_TRUE(next_installer());
  EXPECT_EQ(snapshot(lease->directory()), before) << "other installers leave it, too";
  lease.reset();
  EXPECT_EQ(kept(), 1);
  EXPECT_TRUE(next_installer());
  EXPECT_EQ(kept(), 0);
}

TEST_F(PackageLeaseTest, AnUninstalledPackageStaysUntilItsLastLeaseEnds) {
  ASSERT_TRUE(add(first_));
  const std::string before = snapshot(place());
  std::optional<PackageLease> one(place()), two(place());
  ASSERT_TRUE(remove());
  EXPECT_FALSE(fs::exists(opp_ / "vendors/acme"));
  one.reset();
  EXPECT_TRUE(next_installer());
  EXPECT_EQ(snapshot(two->directory()), before);
  two.reset();
  EXPECT_TRUE(next_installer());
  EXPECT_EQ(kept(), 0);
}

TEST_F(PackageLeaseTest, WithoutALeaseNothingStays) {
  ASSERT_TRUE(add(first_) && add(first_, true));
  EXPECT_EQ(kept(), 0);
  ASSERT_TRUE(remove());
  EXPECT_EQ(kept(), 0);
}

// Has one 1.2.0 that is rolled back and one that will be: the earlier one makes room.
TEST_F(PackageLeaseTest, AnEarlierRolledBackPackageStays) {
  ASSERT_TRUE(add(first_) && add(second_));
  const PackageLease lease(place("1.2.0"));
  const RollbackRequest back{.opp = opp_, .op = "AddRelu"};
  ASSERT_TRUE(rollback(back, this_host()).ok());
  EXPECT_TRUE(usable(lease.directory())) << lease.directory();
  ASSERT_TRUE(add(second_) && rollback(back, this_host()).ok());
  EXPECT_TRUE(usable(lease.directory())) << lease.directory();
  ASSERT_TRUE(add(second_) && rollback(back, this_host()).ok()) << "it is in nobody's way";
  EXPECT_TRUE(usable(lease.directory())) << lease.directory();
}

TEST_F(PackageLeaseTest, ALeaseEndsWithItsProcess) {
  ASSERT_TRUE(add(first_));
  int ready[2] = {};
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const PackageLease lease(place());
    const bool told = ::write(ready[1], "x", 1) == 1;
    while (told) ::pause();
    ::_exit(1);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_TRUE(is_leased(opp_));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(is_leased(opp_));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(PackageLeaseTest, WhatMovesMeanwhileIsReadAgain) {
  write_text(opp_ / "a/f", "text");
  const PackageLease lease(opp_ / "a");
  std::vector<fs::path> places;
  const std::string text = lease.reading([&](const fs::path& at) {
    places.push_back(at);
    if (places.size() == 1) fs::rename(opp_ / "a", opp_ / "b");
    if (places.size() == 1) write_text(opp_ / "a/f", "of another one");
    return read_text(at / "f");
  });
  EXPECT_EQ(text, "text");
  EXPECT_EQ(places, (std::vector<fs::path>{opp_ / "a", fs::canonical(opp_) / "b"}));
}

TEST_F(PackageLeaseTest, OfWhatIsNotThereThereIsNone) {
  const PackageLease lease(opp_ / "nothing");
  EXPECT_FALSE(lease.holds());
  EXPECT_EQ(lease.directory(), opp_ / "nothing");
  EXPECT_FALSE(is_leased(opp_ / "nothing"));
}

}  // namespace
}  // namespace opkit::registry
