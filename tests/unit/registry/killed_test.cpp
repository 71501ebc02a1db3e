// Installers that are killed at every system call that changes files: what readers see afterwards
// is the OPP of before or of after, and the next installer makes every file so.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "packages.h"
#include "registry/install.h"
#include "registry/opp_layout.h"
#include "registry/registry.h"
#include "registry/search_path.h"
#include "registry/signature.h"
#include "registry/staging.h"
#include "registry/trust.h"
#include "registry/upgrade.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

constexpr int kMostCalls = 2000;
constexpr uint64_t kChanging[] = {
    SYS_write,    SYS_pwrite64,  SYS_rename,   SYS_renameat, SYS_renameat2,      SYS_mkdir,
    SYS_mkdirat,  SYS_unlink,    SYS_unlinkat, SYS_rmdir,    SYS_fsync,          SYS_fdatasync,
    SYS_truncate, SYS_ftruncate, SYS_chmod,    SYS_fchmod,   SYS_fchmodat,       SYS_link,
    SYS_linkat,   SYS_symlinkat, SYS_flock,    SYS_sendfile, SYS_copy_file_range};

bool changes_files(const __ptrace_syscall_info& info) {
  if (info.entry.nr == SYS_openat) return (info.entry.args[2] & (O_CREAT | O_WRONLY | O_RDWR)) != 0;
  return std::find(std::begin(kChanging), std::end(kChanging), info.entry.nr) !=
         std::end(kChanging);
}

// Lets the child go on until it is about to change files. False: it has ended.
bool until_next_change(pid_t child) {
  while (true) {
    if (::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr) != 0) return false;
    int status = 0;
    if (::waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return false;
    __ptrace_syscall_info info = {};
    ::ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof info, &info);
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY && changes_files(info)) return true;
  }
}

// Runs it in a child that dies in front of the nth changing call. False: it came to its end.
bool killed_at(int nth, const std::function<bool()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::raise(SIGSTOP);
    ::_exit(work() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ::ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  for (int count = 0; until_next_change(child); ++count) {
    if (count < nth) continue;
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    return true;
  }
  return false;
}

bool can_trace() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

class KilledTest : public OppTest {
 protected:
  using Work = std::function<bool()>;

  void SetUp() override {
    if (!can_trace()) GTEST_SKIP() << "this process may not trace its children";
    this_host();  // before the first child
    old_ = write_package(folder_.path() / "old");
    new_ = write_package(folder_.path() / "new", {.version = "1.2.0", .plugin = "good_1_2"});
    beta_ = write_package(folder_.path() / "beta", {.vendor = "beta"});
  }
  bool add(const fs::path& source, bool force = false) const {
    return install({.source = source, .opp = opp_, .force = force, .probe = false}, this_host())
        .ok();
  }
  bool remove(const std::string& version) const {
    return uninstall({.opp = opp_,
                      .op = "AddRelu",
                      .version = version,
                      .vendor = "acme",
                      .all_versions = version.empty()})
        .ok();
  }
  bool up() const {
    return upgrade({.source = new_, .opp = opp_, .probe = false}, this_host()).ok();
  }
  bool back(bool undo = false) const {
    return rollback({.opp = opp_, .op = "AddRelu", .undo = undo}, this_host()).ok();
  }
  bool next_installer() const { return OppLock::acquire(opp_, std::chrono::seconds(1)).ok(); }

  // What readers know: which package serves, with all its bytes, the order, who owns what.
  std::string seen() const {
    const SearchPath path = make_search_path(opp_, {});
    const auto served = Registry(path, this_host()).resolve({"AddRelu"});
    const LoadPriority priority = read_load_priority(opp_);
    return fmt::format("{}\norder {}\nunlisted {}\nwarnings {}\n{}",
                       served.ok() ? snapshot(served->package.root) : served.error().code,
                       fmt::join(priority.vendors, ","), fmt::join(path.unlisted, ","),
                       path.warnings.size(), to_text(*load_trust(opp_)));
  }
  // Every file, also those of the installers, but for their lock.
  std::string lying() const {
    std::string text = snapshot(opp_);
    for (const auto& each : fs::directory_iterator(opp_ / kWorkFolder)) {
      const std::string name = each.path().filename();
      if (name == "lock") continue;
      text += name + ":\n" + (each.is_directory() ? snapshot(each) : read_text(each));
    }
    return text;
  }
  // The OPP after `begin`.
  void start(const Work& begin) const {
    fs::remove_all(opp_);
    ASSERT_TRUE(next_installer() && begin());
  }
  void kill_everywhere(const Work& begin, const Work& work) {
    start(begin);
    const std::string seen_before = seen(), lying_before = lying();
    ASSERT_TRUE(work());
    const std::string seen_after = seen(), lying_after = lying();
    ASSERT_NE(seen_before, seen_after);
    int taken_back = 0, carried_out = 0;
    for (int nth = 0; nth < kMostCalls; ++nth) {
      SCOPED_TRACE(fmt::format("killed at changing call {}", nth));
      start(begin);
      if (!killed_at(nth, work)) {
        EXPECT_GT(taken_back, 5) << "it changes next to nothing before its move";
        EXPECT_GT(carried_out, 1) << "it is never killed after its move";
        return;
      }
      const bool made = seen() == seen_after;
      EXPECT_EQ(seen(), made ? seen_after : seen_before);
      EXPECT_TRUE(next_installer());
      EXPECT_EQ(seen(), made ? seen_after : seen_before);
      EXPECT_EQ(lying(), made ? lying_after : lying_before);
      EXPECT_TRUE(made || work());
      EXPECT_EQ(lying(), lying_after);
      ++(made ? carried_out : taken_back);
    }
    FAIL() << "it never ends";
  }

  fs::path old_, new_, beta_;
};

TEST_F(KilledTest, AFirstInstallation) {
  kill_everywhere([] { return true; }, [this] { return add(old_); });
}

TEST_F(KilledTest, AnInstallationOfAHigherVersion) {
  kill_everywhere([this] { return add(old_); }, [this] { return add(new_); });
}

TEST_F(KilledTest, AnInstallationThatPutsItsVendorInFront) {
  kill_everywhere([this] { return add(old_) && add(beta_); }, [this] { return add(new_); });
}

TEST_F(KilledTest, AReplacementOfTheSameVersion) {
  const fs::path other = write_package(folder_.path() / "other");
  write_text(other / "docs/new.md", "new");
  declare_files(other);
  kill_everywhere([this] { return add(old_); }, [&] { return add(other, true); });
}

// The key owns the name from then on, and what is not signed serves no more.
TEST_F(KilledTest, AFirstSignedInstallation) {
  const KeyPair keys = make_key_pair();
  write_text(new_ / kSignatureName,
             *signature_file(new_, *load_manifest(new_ / kManifestName), keys.secret));
  kill_everywhere([this] { return add(old_); }, [this] { return add(new_); });
  kill_everywhere([] { return true; }, [this] { return add(new_); });
}

TEST_F(KilledTest, AnUninstallation) {
  kill_everywhere([this] { return add(old_) && add(new_); }, [this] { return remove("1.2.0"); });
}

TEST_F(KilledTest, AnUninstallationOfAllThatAVendorHas) {
  kill_everywhere([this] { return add(beta_) && add(old_); }, [this] { return remove("1.0.0"); });
  kill_everywhere([this] { return add(beta_) && add(old_) && add(new_); },
                  [this] { return remove(""); });
}

TEST_F(KilledTest, AnUpgradeAndItsWayBack) {
  kill_everywhere([this] { return add(old_); }, [this] { return up(); });
  kill_everywhere([this] { return add(old_) && up(); }, [this] { return back(); });
  kill_everywhere([this] { return add(old_) && up() && back(); }, [this] { return back(true); });
}

TEST_F(KilledTest, AWayBackOverAnEarlierOne) {
  kill_everywhere([this] { return add(old_) && up() && back() && add(new_); },
                  [this] { return back(); });
}

}  // namespace
}  // namespace opkit::registry
