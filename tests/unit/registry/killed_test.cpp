// Installers that are killed, or fail, at every system call that changes files: what readers see
// afterwards is the OPP of before or of after, and the next installer makes every file so.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>

#include "packages.h"
#include "registry/change_trust.h"
#include "registry/install.h"
#include "registry/load_priority.h"
#include "registry/opp_layout.h"
#include "registry/opp_lock.h"
#include "registry/package_form.h"
#include "registry/registry.h"
#include "registry/search_path.h"
#include "registry/signature.h"
#include "registry/trust.h"
#include "registry/upgrade.h"
#include "traced.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

constexpr int kMostCalls = 2000;

// What installers do to an OPP.
class Doings {
 public:
  void prepare(const fs::path& folder) {
    opp_ = folder / "opp";
    old_ = write_package(folder / "old");
    new_ = write_package(folder / "new", {.version = "1.2.0", .plugin = "good_1_2"});
    signed_ = write_package(folder / "signed", {.version = "1.2.0", .plugin = "good_1_2"});
    beta_ = write_package(folder / "beta", {.vendor = "beta"});
    other_ = write_package(folder / "other");
    write_text(other_ / "docs/new.md", "new");
    declare_files(other_);
    const KeyPair keys = make_key_pair();
    key_ = keys.open;
    write_text(signed_ / kSignatureName,
               *signature_file(signed_, *load_manifest(signed_ / kManifestName), keys.secret));
  }
  bool add(const fs::path& source, bool force = false) const {
    return install(
               {.source = source, .opp = opp_, .force = force, .probe = false, .layout = &layout_},
               this_host())
        .ok();
  }
  bool remove(const std::string& version) const {
    return uninstall({.opp = opp_,
                      .op = "AddRelu",
                      .version = version,
                      .vendor = "acme",
                      .all_versions = version.empty(),
                      .layout = &layout_})
        .ok();
  }
  bool up() const {
    return upgrade({.source = new_, .opp = opp_, .probe = false, .layout = &layout_}, this_host())
        .ok();
  }
  bool back(bool undo = false) const {
    return rollback({.opp = opp_, .op = "AddRelu", .undo = undo, .layout = &layout_}, this_host())
        .ok();
  }
  bool own() const {
    return change_trust(opp_, [&](Trust& trust) { return pin(trust, {"acme", key_}); }).ok();
  }
  bool disown() const {
    return change_trust(opp_, [](Trust& trust) { return forget(trust, "acme"); }).ok();
  }

  fs::path opp_, old_, new_, signed_, beta_, other_;
  std::string key_;
  const LayoutMaker layout_ = test_layout_maker();
};

struct Change {
  const char* name;
  bool (*begin)(const Doings&);
  bool (*work)(const Doings&);
};

const Change kChanges[] = {
    {"Installation", [](const Doings&) { return true; },
     [](const Doings& d) { return d.add(d.old_); }},
    {"InstallationOfAHigherVersion", [](const Doings& d) { return d.add(d.old_); },
     [](const Doings& d) { return d.add(d.new_); }},
    {"InstallationThatPutsItsVendorInFront",
     [](const Doings& d) { return d.add(d.old_) && d.add(d.beta_); },
     [](const Doings& d) { return d.add(d.new_); }},
    {"ReplacementOfTheSameVersion", [](const Doings& d) { return d.add(d.old_); },
     [](const Doings& d) { return d.add(d.other_, true); }},
    // The key owns the name from then on, and what is not signed serves no more.
    {"FirstSignedInstallation", [](const Doings& d) { return d.add(d.old_); },
     [](const Doings& d) { return d.add(d.signed_); }},
    {"FirstInstallationWhichIsSigned", [](const Doings&) { return true; },
     [](const Doings& d) { return d.add(d.signed_); }},
    {"Uninstallation", [](const Doings& d) { return d.add(d.old_) && d.add(d.new_); },
     [](const Doings& d) { return d.remove("1.2.0"); }},
    {"UninstallationOfAVendorsLast",
     [](const Doings& d) { return d.add(d.beta_) && d.add(d.old_); },
     [](const Doings& d) { return d.remove("1.0.0"); }},
    {"UninstallationOfAllVersions",
     [](const Doings& d) { return d.add(d.beta_) && d.add(d.old_) && d.add(d.new_); },
     [](const Doings& d) { return d.remove(""); }},
    {"Upgrade", [](const Doings& d) { return d.add(d.old_); },
     [](const Doings& d) { return d.up(); }},
    {"Rollback", [](const Doings& d) { return d.add(d.old_) && d.up(); },
     [](const Doings& d) { return d.back(); }},
    {"WayForwardAgain", [](const Doings& d) { return d.add(d.old_) && d.up() && d.back(); },
     [](const Doings& d) { return d.back(true); }},
    {"RollbackOverAnEarlierOne",
     [](const Doings& d) { return d.add(d.old_) && d.up() && d.back() && d.add(d.new_); },
     [](const Doings& d) { return d.back(); }},
    {"NameThatGetsAnOwner", [](const Doings& d) { return d.add(d.old_); },
     [](const Doings& d) { return d.own(); }},
    {"NameThatLosesItsOwner", [](const Doings& d) { return d.add(d.old_) && d.own(); },
     [](const Doings& d) { return d.disown(); }},
};

// Steps over calls that fail: some by default, all when asked: OPKIT_EVERY_FAULT=1.
int step_of_faults() { return std::getenv("OPKIT_EVERY_FAULT") == nullptr ? 8 : 1; }

// What does not flush is faster, and these cases flush thousands of times.
fs::path place_for_many() {
  const fs::path memory = "/dev/shm";
  return ::access(memory.c_str(), W_OK | X_OK) == 0 ? memory : fs::temp_directory_path();
}

class ChangeTest : public ::testing::TestWithParam<Change> {
 protected:
  void SetUp() override {
    if (!can_trace()) GTEST_SKIP() << "this process may not trace its children";
    this_host();  // before the first child
    doings_.prepare(folder_.path());
  }
  bool work() const { return GetParam().work(doings_); }
  std::function<bool()> to_work() const {
    return [this] { return work(); };
  }
  bool next_installer() const { return OppLock::acquire(opp(), std::chrono::seconds(1)).ok(); }
  const fs::path& opp() const { return doings_.opp_; }

  // Returns what readers know: which package serves, with all its bytes, the order, who owns what.
  std::string seen() const {
    const SearchPath path = make_search_path(opp(), {});
    const auto served = Registry(path, this_host()).resolve({"AddRelu"});
    const LoadPriority priority = read_load_priority(opp());
    return fmt::format("{}\norder {}\nunlisted {}\nwarnings {}\n{}",
                       served.ok() ? snapshot(served->package.root) : served.error().code,
                       fmt::join(priority.vendors, ","), fmt::join(path.unlisted, ","),
                       path.warnings.size(), to_text(*load_trust(opp())));
  }
  // Every file, also those of the installers, but for their lock.
  std::string lying() const {
    std::map<std::string, std::string> texts;  // have an order of their own, not the folder's
    for (const auto& each : fs::directory_iterator(opp() / kWorkFolder)) {
      const std::string name = each.path().filename();
      if (name != "lock") texts[name] = each.is_directory() ? snapshot(each) : read_text(each);
    }
    std::string all = snapshot(opp());
    for (const auto& [name, text] : texts) all += name + ":\n" + text;
    return all;
  }
  // The OPP of before.
  void start() const {
    fs::remove_all(opp());
    ASSERT_TRUE(next_installer() && GetParam().begin(doings_));
  }
  void learn_both_ends() {
    start();
    seen_before_ = seen(), lying_before_ = lying();
    ASSERT_TRUE(work());
    seen_after_ = seen(), lying_after_ = lying();
    ASSERT_NE(seen_before_ + lying_before_, seen_after_ + lying_after_);
  }
  // Tells whether the OPP is that of after, else it must be that of before: for readers at once, in
  // all its files when the next installer has been there.
  bool judge() const {
    const bool made = seen_before_ == seen_after_ ? lies_after() : seen() == seen_after_;
    EXPECT_EQ(seen(), made ? seen_after_ : seen_before_);
    EXPECT_TRUE(next_installer());
    EXPECT_EQ(seen(), made ? seen_after_ : seen_before_);
    EXPECT_EQ(lying(), made ? lying_after_ : lying_before_);
    return made;
  }
  // Readers may see no difference: which bytes are kept for the way forward is not theirs.
  bool lies_after() const { return next_installer() && lying() == lying_after_; }
  void can_still_be_made(bool made) const {
    EXPECT_TRUE(made || work());
    EXPECT_EQ(lying(), lying_after_);
  }

  // For every `step`th call: `meet` it, and judge. Returns how often the change was made.
  struct Count {
    int before = 0, after = 0;
  };
  Count strike_everywhere(const Strike& form, int step,
                          const std::function<void(const Traced&)>& then = {}) {
    Count count;
    learn_both_ends();
    for (int nth = step / 2; nth < kMostCalls; nth += step) {
      SCOPED_TRACE(fmt::format("at changing call {}", nth));
      start();
      const Traced traced = run_traced(to_work(), {nth, form.error, form.for_good});
      if (!traced.struck) return count;
      if (then) then(traced);
      const bool made = judge();
      const bool told = form.error != 0 && form.error != EROFS;
      EXPECT_TRUE(!told || traced.good == made) << "what it said is not what it did";
      can_still_be_made(made);
      ++(made ? count.after : count.before);
    }
    ADD_FAILURE() << "it never ends";
    return count;
  }

  TemporaryFolder folder_{place_for_many()};
  Doings doings_;
  std::string seen_before_, lying_before_, seen_after_, lying_after_;
};
INSTANTIATE_TEST_SUITE_P(All, ChangeTest, testing::ValuesIn(kChanges),
                         [](const auto& info) { return info.param.name; });

TEST_P(ChangeTest, KilledAtAnyCall) {
  const Count count = strike_everywhere({}, 1);
  EXPECT_GT(count.before, 3) << "it changes next to nothing before its move";
  EXPECT_GT(count.after, 1) << "it is never killed after its move";
}

// What was not flushed is lost then.
TEST_P(ChangeTest, WithoutPowerFromAnyCallOn) {
  strike_everywhere({}, step_of_faults(), [&](const Traced& traced) {
    const std::set<Inode> lost = unflushed_files(traced.calls);
    for (const auto& each : fs::recursive_directory_iterator(opp())) {
      struct stat facts = {};
      if (!each.is_regular_file() || each.path().filename() == "lock") continue;
      if (::lstat(each.path().c_str(), &facts) == 0 && lost.contains({facts.st_dev, facts.st_ino}))
        fs::resize_file(each.path(), 0);
    }
  });
}

TEST_P(ChangeTest, FlushesInTheRightOrder) {
  start();
  const Traced traced = run_traced(to_work());
  ASSERT_TRUE(traced.good);
  EXPECT_GT(traced.calls.size(), 5u);
  EXPECT_EQ(bad_orders(traced.calls), std::vector<std::string>());
}

TEST_P(ChangeTest, FailingAtAnyCall) {
  for (const int error : {ENOSPC, EIO}) strike_everywhere({.error = error}, step_of_faults());
}

TEST_P(ChangeTest, OnADiskThatFillsUpAtAnyCall) {
  strike_everywhere({.error = ENOSPC, .for_good = true}, step_of_faults());
}

TEST_P(ChangeTest, OnADiskThatTakesNoMoreChangesFromAnyCallOn) {
  strike_everywhere({.error = EROFS, .for_good = true}, step_of_faults());
}

TEST_P(ChangeTest, WithALimitOfAFilesSize) {
  learn_both_ends();
  for (const rlim_t most : {0, 40, 100, 400, 2000, 10000}) {
    for (const bool killed : {false, true}) {
      SCOPED_TRACE(fmt::format("{} bytes, {}", most, killed ? "killed" : "told"));
      start();
      const Traced traced = run_traced([&] {
        ::signal(SIGXFSZ, killed ? SIG_DFL : SIG_IGN);
        const rlimit limit{most, most};
        return ::setrlimit(RLIMIT_FSIZE, &limit) == 0 && work();
      });
      const bool made = judge();
      EXPECT_TRUE(killed || traced.good == made) << "what it said is not what it did";
      can_still_be_made(made);
    }
  }
}

}  // namespace
}  // namespace opkit::registry
