#include "registry/upgrade.h"
#include "registry/change_trust.h"
#include "registry/load_priority.h"

#include "packages.h"
#include "registry/registry.h"
#include "registry/search_path.h"
#include "registry/trust.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

class UpgradeTest : public OppTest {
 protected:
  fs::path source(const PackageSpec& spec) {
    return write_package(folder_.path() / ("source" + std::to_string(count_++)), spec);
  }
  // "done" or the code; a refusal leaves the OPP as it was.
  template <typename Report>
  std::string said(const std::string& before, const Report& report) {
    if (report) return "done";
    EXPECT_EQ(state(), before) << report.error().to_string();
    EXPECT_FALSE(report.error().action.empty());
    return report.error().code;
  }
  std::string state() const { return fs::exists(opp_) ? snapshot(opp_) : ""; }
  std::string add(const PackageSpec& spec) {
    const std::string before = state();
    return said(before,
                install({.source = source(spec), .opp = opp_, .probe = false}, this_host()));
  }
  std::string up(const PackageSpec& spec) {
    const std::string before = state();
    return said(before,
                upgrade({.source = source(spec), .opp = opp_, .probe = false}, this_host()));
  }
  std::string back(const std::string& vendor = {}, bool undo = false) {
    const std::string before = state();
    return said(before, rollback({.opp = opp_, .op = "AddRelu", .vendor = vendor, .undo = undo},
                                 this_host()));
  }
  std::string found() const {
    const auto result = Registry(make_search_path(opp_, {}), this_host()).resolve({"AddRelu"});
    return result ? result->package.manifest.vendor + " " + result->package.manifest.version
                  : result.error().code;
  }

  const PackageSpec next_{.version = "1.2.0", .plugin = "good_1_2"};
  const PackageSpec last_{.version = "1.10.0", .plugin = "good_1_10"};
  int count_ = 0;
};

TEST_F(UpgradeTest, AHigherVersionServesAndTheOneBeforeIsKept) {
  EXPECT_EQ(up({}), "OPK-INSTALL-006");
  EXPECT_EQ(add({}), "done");
  EXPECT_EQ(add({.vendor = "beta"}), "done");
  EXPECT_EQ(up(next_), "done");
  EXPECT_EQ(up(next_), "OPK-INSTALL-010");
  EXPECT_EQ(up({}), "OPK-INSTALL-010");
  EXPECT_EQ(up({.vendor = "gamma"}), "OPK-INSTALL-006");
  EXPECT_EQ(read_load_priority(opp_).vendors, (std::vector<std::string>{"beta", "acme"}));
  EXPECT_EQ(found(), "beta 1.0.0") << "an upgrade moves no vendor to the front";
  EXPECT_TRUE(fs::exists(opp_ / "vendors/acme/op_pkg/AddRelu/1.0.0/manifest.yaml"));
}

TEST_F(UpgradeTest, ARollbackGoesOneVersionBackAndComesAgain) {
  ASSERT_EQ(add({}), "done");
  EXPECT_EQ(back(), "OPK-INSTALL-011");
  ASSERT_EQ(up(next_), "done");
  ASSERT_EQ(up(last_), "done");
  const std::string whole = state();
  EXPECT_EQ(back(), "done");
  EXPECT_EQ(found(), "acme 1.2.0");
  EXPECT_EQ(back(), "done");
  EXPECT_EQ(found(), "acme 1.0.0");
  EXPECT_EQ(back(), "OPK-INSTALL-011");
  EXPECT_EQ(back("", true), "done") << "the one that was rolled back last";
  EXPECT_EQ(found(), "acme 1.2.0");
  EXPECT_EQ(back("", true), "done");
  EXPECT_EQ(found(), "acme 1.10.0");
  EXPECT_EQ(state(), whole);
  EXPECT_EQ(back("", true), "OPK-INSTALL-006") << "nothing is left";
  EXPECT_EQ(back(), "done") << "what was rolled back before is replaced";
  EXPECT_EQ(found(), "acme 1.2.0");
}

TEST_F(UpgradeTest, NothingComesAgainOfAVendorThatWasUninstalled) {
  ASSERT_EQ(add({}), "done");
  ASSERT_EQ(up(next_), "done");
  EXPECT_EQ(back(), "done");
  ASSERT_TRUE(uninstall({.opp = opp_, .op = "AddRelu"}).ok());
  EXPECT_EQ(back("", true), "OPK-INSTALL-011") << "it would not serve";
}

TEST_F(UpgradeTest, NothingIsRolledBackToABrokenVersion) {
  ASSERT_EQ(add({}), "done");
  ASSERT_EQ(up(next_), "done");
  write_text(opp_ / "vendors/acme/op_pkg/AddRelu/1.0.0/op_impl/libadd_relu.so", "damaged");
  EXPECT_EQ(back(), "OPK-INSTALL-011");
  EXPECT_EQ(found(), "acme 1.2.0");
}

TEST_F(UpgradeTest, WhatIsNotClearIsAsked) {
  EXPECT_EQ(back(), "OPK-INSTALL-006");
  EXPECT_FALSE(fs::exists(opp_));
  ASSERT_EQ(add({}), "done");
  ASSERT_EQ(up(next_), "done");
  ASSERT_EQ(add({.vendor = "beta"}), "done");
  EXPECT_EQ(back(), "OPK-INSTALL-007");
  EXPECT_EQ(back("../acme"), "OPK-INSTALL-006");
  EXPECT_EQ(back("acme", true), "OPK-INSTALL-006");
  EXPECT_EQ(back("acme"), "done");
  EXPECT_EQ(rollback({.opp = opp_, .op = ".."}, this_host()).error().code, "OPK-INSTALL-006");
}

// What came before an owner does not come back past it.
TEST_F(UpgradeTest, WhatComesAgainIsJudgedByTheTrustOfNow) {
  ASSERT_EQ(add({}), "done");
  ASSERT_EQ(up(next_), "done");
  ASSERT_EQ(back(), "done");
  ASSERT_TRUE(change_trust(opp_, [](Trust& trust) {
                return pin(trust, {"acme", make_key_pair().open});
              }).ok());
  EXPECT_EQ(back("", true), "OPK-TRUST-004");
  EXPECT_EQ(found(), "acme 1.0.0");
}

}  // namespace
}  // namespace opkit::registry
