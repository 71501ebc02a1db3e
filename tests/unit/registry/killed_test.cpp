// Installers that are killed at every system call that changes files: what is searched afterwards
// is the old state or the new one, and the next installer goes on from there.
#include <fcntl.h>
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
  void SetUp() override {
    if (!can_trace()) GTEST_SKIP() << "this process may not trace its children";
    this_host();  // before the first child
    old_ = write_package(folder_.path() / "old");
    new_ = write_package(folder_.path() / "new", {.version = "1.2.0", .plugin = "good_1_2"});
  }
  bool add(const fs::path& source, bool force = false) const {
    return install({.source = source, .opp = opp_, .force = force, .probe = false}, this_host())
        .ok();
  }
  bool remove(const std::string& version) const {
    return uninstall({.opp = opp_, .op = "AddRelu", .version = version}).ok();
  }
  // The version that is found, or the error's code.
  std::string found() const {
    const auto result = Registry(make_search_path(opp_, {}), this_host()).resolve({"AddRelu"});
    return result.ok() ? result->package.manifest.version : result.error().code;
  }
  // For each call: begin(), work() killed, the state judged, end() must succeed and lead to `last`.
  void kill_everywhere(const std::function<bool()>& begin, const std::function<bool()>& work,
                       const std::vector<std::string>& allowed, const std::function<bool()>& end,
                       const std::string& last) {
    for (int nth = 0; nth < kMostCalls; ++nth) {
      fs::remove_all(opp_);
      ASSERT_TRUE(begin());
      const bool killed = killed_at(nth, work);
      const std::string state = found();
      EXPECT_TRUE(std::find(allowed.begin(), allowed.end(), state) != allowed.end())
          << "killed at changing call " << nth << ": " << state;
      EXPECT_TRUE(!killed || end()) << "after the kill at changing call " << nth;
      EXPECT_EQ(found(), last) << "after the kill at changing call " << nth;
      for (const auto& left : fs::directory_iterator(opp_ / ".opkit"))
        EXPECT_FALSE(left.path().filename().string().starts_with("stage-"))
            << left.path() << " was left";
      if (!killed) {
        EXPECT_GT(nth, 5) << "it changed next to nothing";
        return;
      }
    }
    FAIL() << "it never ends";
  }

  fs::path old_, new_;
};

TEST_F(KilledTest, AFirstInstallation) {
  kill_everywhere([] { return true; }, [this] { return add(old_); }, {"OPK-REG-001", "1.0.0"},
                  // Installed already, or not: afterwards it is.
                  [this] { return add(old_) || found() == "1.0.0"; }, "1.0.0");
}

TEST_F(KilledTest, AnInstallationOfAHigherVersion) {
  kill_everywhere([this] { return add(old_); }, [this] { return add(new_); }, {"1.0.0", "1.2.0"},
                  [this] { return add(new_) || found() == "1.2.0"; }, "1.2.0");
}

TEST_F(KilledTest, AReplacementOfTheSameVersion) {
  kill_everywhere([this] { return add(old_); }, [this] { return add(old_, true); }, {"1.0.0"},
                  [this] { return add(old_, true); }, "1.0.0");
}

TEST_F(KilledTest, AnUninstallation) {
  kill_everywhere([this] { return add(old_) && add(new_); }, [this] { return remove("1.2.0"); },
                  {"1.0.0", "1.2.0"},
                  [this] {
                    remove("1.2.0");
                    add(old_);  // already there: clears what was left
                    return true;
                  },
                  "1.0.0");
}

TEST_F(KilledTest, AnUpgradeAndItsWayBack) {
  const auto up = [this] {
    return upgrade({.source = new_, .opp = opp_, .probe = false}, this_host()).ok();
  };
  const auto back = [this](bool undo) {
    return rollback({.opp = opp_, .op = "AddRelu", .undo = undo}, this_host()).ok();
  };
  kill_everywhere([this] { return add(old_); }, up, {"1.0.0", "1.2.0"},
                  [&] { return up() || found() == "1.2.0"; }, "1.2.0");
  const auto clear = [&] { return add(old_) || true; };  // already there: clears what was left
  kill_everywhere([&] { return add(old_) && up(); }, [&] { return back(false); },
                  {"1.0.0", "1.2.0"},
                  [&] { return (back(false) || found() == "1.0.0") && clear(); }, "1.0.0");
  kill_everywhere([&] { return add(old_) && up() && back(false); }, [&] { return back(true); },
                  {"1.0.0", "1.2.0"}, [&] { return (back(true) || found() == "1.2.0") && clear(); },
                  "1.2.0");
}

}  // namespace
}  // namespace opkit::registry
