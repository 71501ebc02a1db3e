#include "registry/lock_file.h"

#include "packages.h"
#include "registry/registry.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

class LockFileTest : public OppTest {
 protected:
  LockFileTest() {
    write_installed(opp_);
    priority("acme");
  }
  void priority(const std::string& vendors) {
    write_text(opp_ / "vendors/config.ini", "load_priority=" + vendors + "\n");
  }
  Registry registry() const { return Registry(make_search_path(opp_, {}), this_host()); }
  LockedSet set_now() const {
    const Package package = registry().resolve({"AddRelu"})->package;
    return {file_, {{"AddRelu", "acme", package.manifest.version, *package_digest(package)}}};
  }
  // The code, or "good".
  std::string locked(const Result<LockedSet>& set) const {
    Registry locked = registry();
    locked.lock(set);
    const auto found = locked.resolve({"AddRelu"});
    const Status all = locked.check_lock("");
    if (!found) return message_ = found.error().message, found.error().code;
    return all ? "good" : all.error().code;
  }

  std::string file_ = (folder_.path() / "opkit.lock").string();
  mutable std::string message_;
};

TEST_F(LockFileTest, TheSameSetIsServed) {
  const LockedSet set = set_now();
  EXPECT_EQ(locked(set), "good");
  write_text(file_, to_text(set));
  EXPECT_EQ(locked(load_lock(file_)), "good");
  EXPECT_EQ(to_text(*load_lock(file_)), to_text(set));
}

TEST_F(LockFileTest, AnotherVersionVendorOrByteIsRefusedAndBothAreNamed) {
  const LockedSet set = set_now();
  write_installed(opp_, {.version = "1.2.0", .plugin = "good_1_2"});
  EXPECT_EQ(locked(set), "OPK-LOCK-002");
  EXPECT_NE(message_.find("1.2.0 of acme"), std::string::npos) << message_;
  EXPECT_NE(message_.find("1.0.0 of acme"), std::string::npos) << message_;
  fs::remove_all(opp_ / "vendors/acme/op_pkg/AddRelu/1.2.0");
  EXPECT_EQ(locked(set), "good");
  write_installed(opp_, {.vendor = "beta"});
  priority("beta,acme");
  EXPECT_EQ(locked(set), "OPK-LOCK-002");
  priority("acme");
  const fs::path root = opp_ / "vendors/acme/op_pkg/AddRelu/1.0.0";
  write_text(root / "docs/readme.md", "other words");
  declare_files(root);
  EXPECT_EQ(locked(set), "OPK-LOCK-002");
}

TEST_F(LockFileTest, OpsThatAreNotInTheSetOrNotInTheOppAreRefused) {
  EXPECT_EQ(locked(LockedSet{file_, {}}), "OPK-LOCK-003");
  LockedSet more = set_now();
  more.packages.push_back({"MulAdd", "acme", "1.0.0", std::string(64, '0')});
  EXPECT_EQ(locked(more), "OPK-REG-001");
}

TEST_F(LockFileTest, DamagedFilesAnswerEverything) {
  const std::string good = to_text(set_now()), line = good.substr(good.find('\n') + 1);
  ASSERT_TRUE(parse_lock(good, "l").ok());
  for (const std::string& bad :
       {std::string(), good + line, good.substr(0, good.size() - 1), "opkit lock 2\n" + line,
        good + "x", "opkit lock 1\n../x 1.0.0 acme " + std::string(64, '0') + "\n",
        "opkit lock 1\nAddRelu 1 acme " + std::string(64, '0') + "\n"}) {
    const auto set = parse_lock(bad, "l");
    ASSERT_FALSE(set.ok()) << bad;
    EXPECT_EQ(set.error().code, "OPK-LOCK-001");
    EXPECT_EQ(locked(set), "OPK-LOCK-001");
  }
  EXPECT_EQ(load_lock(folder_.path() / "none").error().code, "OPK-LOCK-001");
  EXPECT_EQ(load_lock("/dev/zero").error().code, "OPK-FILE-005");
}

TEST_F(LockFileTest, RangesAreResolvedToTheHighest) {
  write_installed(opp_, {.version = "1.2.0", .plugin = "good_1_2"});
  write_installed(opp_, {.version = "1.10.0", .plugin = "good_1_10"});
  const auto version = [&](const char* range) {
    const auto found = registry().resolve({"AddRelu", "", range});
    return found ? found->package.manifest.version : found.error().code;
  };
  EXPECT_EQ(version("^1.0"), "1.10.0");
  EXPECT_EQ(version(">=1,<1.10"), "1.2.0");
  EXPECT_EQ(version("~1.0"), "1.0.0");
  EXPECT_EQ(version("^2"), "OPK-REG-004");
  EXPECT_EQ(version("two"), "OPK-VERSION-002");
}

}  // namespace
}  // namespace opkit::registry
