// The reserve of an OPP: who takes the lock keeps it, and what makes room on a full disk spends it.
#include "registry/reserve.h"
#include "registry/opp_layout.h"
#include "registry/opp_lock.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "packages.h"
#include "registry/install.h"
#include "traced.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

class ReserveTest : public OppTest {
 protected:
  bool add(const std::string& version) const {
    return install({.source = folder_.path() / version, .opp = opp_, .probe = false}, this_host())
        .ok();
  }
  bool remove() const { return uninstall({.opp = opp_, .op = "AddRelu", .version = "1.0.0"}).ok(); }
  // Lets the disk be full once, where the work begins to write down its change.
  bool works_on_a_full_disk(const std::function<bool()>& work) {
    start();
    const auto calls = run_traced(work).calls;
    const auto first = std::find_if(calls.begin(), calls.end(), [](const FileCall& call) {
      return call.kind == FileCall::Kind::kCreate &&
             call.path.filename().string().starts_with("pending");
    });
    EXPECT_NE(first, calls.end());
    start();
    const Traced traced = run_traced(work, {static_cast<int>(first - calls.begin()), ENOSPC});
    EXPECT_TRUE(traced.struck);
    for (const FileCall& call : traced.calls)
      spent_ = spent_ || (call.kind == FileCall::Kind::kRemove && is_of_reserve(call.path));
    return traced.good;
  }
  void start() {
    fs::remove_all(opp_);
    write_package(folder_.path() / "1.0.0");
    write_package(folder_.path() / "1.2.0", {.version = "1.2.0", .plugin = "good_1_2"});
    ASSERT_TRUE(add("1.0.0"));
  }
  bool is_of_reserve(const fs::path& path) const { return path.parent_path() == folder(); }
  fs::path folder() const { return opp_ / kWorkFolder / "reserve"; }
  // How many bytes the disk has set aside for it.
  long long set_aside() const {
    long long bytes = 0;
    for (const auto& each : fs::directory_iterator(folder())) {
      struct stat facts = {};
      EXPECT_EQ(::lstat(each.path().c_str(), &facts), 0);
      bytes += facts.st_blocks * 512LL;
    }
    return bytes;
  }

  bool spent_ = false;
};

TEST_F(ReserveTest, IsKeptByWhoTakesTheLock) {
  start();
  EXPECT_GE(set_aside(), 96 << 10);
  fs::remove(folder() / "2");
  fs::resize_file(folder() / "3", 0);
  EXPECT_TRUE(OppLock::acquire(opp_, std::chrono::seconds(1)).ok());
  EXPECT_GE(set_aside(), 96 << 10);
  EXPECT_TRUE(spend_reserve(opp_));
  EXPECT_FALSE(fs::exists(folder()));
  EXPECT_FALSE(spend_reserve(opp_)) << "there is none";
}

TEST_F(ReserveTest, ALinkIsNotFollowed) {
  start();
  const fs::path elsewhere = folder_.path() / "elsewhere";
  fs::create_directory(elsewhere);
  fs::remove_all(folder());
  fs::create_directory_symlink(elsewhere, folder());
  EXPECT_TRUE(OppLock::acquire(opp_, std::chrono::seconds(1)).ok());
  EXPECT_TRUE(fs::is_empty(elsewhere));
  EXPECT_FALSE(spend_reserve(opp_));
  EXPECT_TRUE(fs::exists(elsewhere));
}

TEST_F(ReserveTest, AnUninstallationOnAFullDiskSpendsIt) {
  if (!can_trace()) GTEST_SKIP() << "this process may not trace its children";
  this_host();
  EXPECT_TRUE(works_on_a_full_disk([this] { return remove(); }));
  EXPECT_TRUE(spent_);
  EXPECT_GE(set_aside(), 96 << 10) << "it is made again";
  EXPECT_FALSE(fs::exists(opp_ / "vendors/acme"));
}

TEST_F(ReserveTest, AnInstallationLeavesIt) {
  if (!can_trace()) GTEST_SKIP() << "this process may not trace its children";
  this_host();
  EXPECT_FALSE(works_on_a_full_disk([this] { return add("1.2.0"); }));
  EXPECT_FALSE(spent_);
  EXPECT_FALSE(fs::exists(opp_ / "vendors/acme/op_pkg/AddRelu/1.2.0"));
}

}  // namespace
}  // namespace opkit::registry
