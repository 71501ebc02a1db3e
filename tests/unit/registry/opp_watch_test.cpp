#include "registry/opp_watch.h"
#include "registry/opp_lock.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <random>

#include "packages.h"
#include "registry/install.h"
#include "registry/opp_layout.h"
#include "registry/registry.h"
#include "registry/upgrade.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;

class OppWatchTest : public OppTest {};

TEST_F(OppWatchTest, TheGenerationRisesWithEveryInstaller) {
  OppWatch watch(opp_);
  EXPECT_FALSE(watch.generation());
  { ASSERT_TRUE(OppLock::acquire(opp_, seconds(1)).ok()); }
  EXPECT_EQ(watch.generation(), 1u);
  {
    const auto lock = OppLock::acquire(opp_, seconds(1));
    EXPECT_EQ(watch.generation(), 1u) << "it has not ended";
    EXPECT_FALSE(OppLock::acquire(opp_, seconds(0)).ok());
    EXPECT_EQ(watch.generation(), 1u) << "who did not get the lock did nothing";
  }
  EXPECT_EQ(OppWatch(opp_).generation(), 2u);
}

TEST_F(OppWatchTest, ReadersInQuietKeepInstallersOutAndOneAnotherNot) {
  const OppWatch watch(opp_);
  EXPECT_FALSE(watch.in_quiet([] { FAIL() << "there is nothing to look at again"; }, seconds(0)));
  { ASSERT_TRUE(OppLock::acquire(opp_, seconds(1)).ok()); }
  bool inner = false;
  EXPECT_TRUE(watch.in_quiet(
      [&] {
        inner = OppWatch(opp_).in_quiet([] {}, seconds(0));
        EXPECT_EQ(OppLock::acquire(opp_, seconds(0)).error().code, "OPK-INSTALL-003");
      },
      seconds(1)));
  EXPECT_TRUE(inner);
  const auto lock = OppLock::acquire(opp_, seconds(1));
  EXPECT_FALSE(watch.in_quiet([] { FAIL() << "an installer is at work"; }, milliseconds(10)));
}

TEST_F(OppWatchTest, WhatIsNoLockFileIsNotWaitedFor) {
  fs::create_directories(opp_ / kWorkFolder);
  ASSERT_EQ(::mkfifo((opp_ / kWorkFolder / "lock").c_str(), 0600), 0);
  EXPECT_FALSE(OppWatch(opp_).generation());
  fs::remove(opp_ / kWorkFolder / "lock");
  fs::create_symlink("/dev/zero", opp_ / kWorkFolder / "lock");
  EXPECT_FALSE(OppWatch(opp_).generation());
  EXPECT_FALSE(OppWatch(opp_).in_quiet([] { FAIL(); }, seconds(0)));
}

// Several installers and readers at once: processes, as users start them.
class ManyProcessesTest : public OppTest {
 protected:
  static constexpr int kWriters = 8, kReaders = 8, kOperations = 25;

  void SetUp() override {
    this_host();  // before the first child
    const auto spec = [](const char* version, const char* plugin, const char* kit) {
      return PackageSpec{
          .version = version, .plugin = plugin, .edit = [kit](Manifest& m) { m.kit = kit; }};
    };
    sources_ = {write_package(folder_.path() / "a", spec("1.0.0", "good", "0.1.0")),
                write_package(folder_.path() / "b", spec("1.0.0", "good", "0.2.0")),
                write_package(folder_.path() / "c", spec("1.2.0", "good_1_2", "0.1.0")),
                write_package(folder_.path() / "d", spec("1.10.0", "good_1_10", "0.1.0"))};
    ASSERT_TRUE(add(0, false).ok());
  }
  Status add(size_t source, bool force) const {
    const auto report = install({.source = sources_[source],
                                 .opp = opp_,
                                 .force = force,
                                 .probe = false,
                                 .lock_timeout = seconds(120)},
                                this_host());
    return report ? Status() : Status(report.error());
  }
  // 1.0.0 is replaced, never removed; the others come and go.
  Status operate(uint32_t number) const {
    const size_t source = number / 8 % sources_.size();
    switch (number % 8) {
      case 0:
      case 1:
      case 2: return add(source, true);
      case 3: return add(source, false);
      case 4: {
        const auto done = upgrade(
            {.source = sources_[source], .opp = opp_, .probe = false, .lock_timeout = seconds(120)},
            this_host());
        return done ? Status() : Status(done.error());
      }
      case 5: {
        const auto done = uninstall({.opp = opp_,
                                     .op = "AddRelu",
                                     .version = number % 16 < 8 ? "1.2.0" : "1.10.0",
                                     .lock_timeout = seconds(120)});
        return done ? Status() : Status(done.error());
      }
      default: {
        const auto done = rollback(
            {.opp = opp_, .op = "AddRelu", .undo = number % 8 == 7, .lock_timeout = seconds(120)},
            this_host());
        return done ? Status() : Status(done.error());
      }
    }
  }
  // Refusals that say what another one did before; all else is unexplained.
  static bool is_explained(const Status& status) {
    static const std::vector<std::string> known = {"OPK-INSTALL-002", "OPK-INSTALL-006",
                                                   "OPK-INSTALL-007", "OPK-INSTALL-010",
                                                   "OPK-INSTALL-011"};
    return status.ok() || std::find(known.begin(), known.end(), status.error().code) != known.end();
  }
  int write(uint32_t seed) const {
    std::mt19937 random(seed);
    for (int i = 0; i < kOperations; ++i) {
      const Status status = operate(random());
      if (is_explained(status)) continue;
      std::fprintf(stderr, "%s\n", status.error().to_string().c_str());
      return 1;
    }
    return 0;
  }
  // There is always a package that serves, and none that looks broken.
  int read(int) const {
    while (!fs::exists(done_)) {
      const Registry registry(make_search_path(opp_, {}), this_host());
      const auto found = registry.resolve({"AddRelu"});
      bool good = found.ok();
      if (!good) std::fprintf(stderr, "%s\n", found.error().to_string().c_str());
      for (const Listed& listed : registry.list())
        good = good && listed.candidate.standing != Standing::kBroken;
      if (!good) return 1;
    }
    return 0;
  }
  template <typename Work>
  pid_t start(const Work& work) const {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work());
    return child;
  }
  static int end_of(pid_t child) {
    int status = -1;
    ::waitpid(child, &status, 0);
    return status;
  }

  std::vector<fs::path> sources_;
  fs::path done_ = folder_.path() / "done";
};

TEST_F(ManyProcessesTest, ReadersSeeWholePackagesAndWritersExplainThemselves) {
  std::vector<pid_t> writers, readers;
  for (int i = 0; i < kReaders; ++i) readers.push_back(start([this, i] { return read(i); }));
  for (uint32_t i = 0; i < kWriters; ++i)
    writers.push_back(start([this, i] { return write(20261123 + i); }));
  for (const pid_t writer : writers) EXPECT_EQ(end_of(writer), 0) << "a writer";
  write_text(done_, "");
  for (const pid_t reader : readers) EXPECT_EQ(end_of(reader), 0) << "a reader";
  const Registry registry(make_search_path(opp_, {}), this_host());
  for (const Listed& listed : registry.list())
    EXPECT_NE(listed.candidate.standing, Standing::kBroken) << listed.candidate.version;
  EXPECT_TRUE(add(3, true).ok()) << "it goes on";
  for (const auto& left : fs::directory_iterator(opp_ / kWorkFolder))
    EXPECT_FALSE(left.path().filename().string().starts_with("stage-")) << left.path();
}

}  // namespace
}  // namespace opkit::registry
