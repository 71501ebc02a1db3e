// Files that build files look for beside a vendor's packages: they follow every change.
#include "registry/vendor_layout.h"
#include "registry/load_priority.h"
#include "registry/package_form.h"

#include <gmock/gmock.h>

#include "packages.h"
#include "registry/opp_layout.h"
#include "registry/upgrade.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

class VendorLayoutTest : public OppTest {
 protected:
  VendorLayoutTest() {
    maker_ = test_layout_maker();
    write_text(folder_.path() / "runtime.so", "code");
    maker_.runtime = folder_.path() / "runtime.so";
  }
  bool add(const PackageSpec& package = {}, bool force = false) {
    const fs::path source = folder_.path() / ("source" + std::to_string(++sources_));
    write_package(source, package);
    return install(
               {.source = source, .opp = opp_, .force = force, .probe = false, .layout = &maker_},
               this_host())
        .ok();
  }
  bool remove(const std::string& version = {}) {
    return uninstall({.opp = opp_, .op = "AddRelu", .version = version, .layout = &maker_}).ok();
  }
  bool back(bool undo) {
    return rollback({.opp = opp_, .op = "AddRelu", .undo = undo, .layout = &maker_}, this_host())
        .ok();
  }
  fs::path at(const std::string& part) const { return opp_ / "vendors/acme" / part; }
  std::string header() const { return read_text(at("op_api/include/aclnn_add_relu.h")); }
  // Tells whether the header is of that version.
  bool is_of(const std::string& version) const {
    return header().find(version + "\n") != std::string::npos;
  }

  LayoutMaker maker_;
  int sources_ = 0;
};

const PackageSpec kHigher{.version = "1.2.0", .plugin = "good_1_2"};

TEST_F(VendorLayoutTest, ComesWithTheFirstPackageAndGoesWithTheLast) {
  ASSERT_TRUE(add());
  EXPECT_TRUE(is_of("1.0.0")) << header();
  EXPECT_EQ(fs::read_symlink(at("op_api/lib/libcust_opapi.so")), maker_.runtime);
  EXPECT_EQ(read_text(at("version.info")), maker_.version_info);
  ASSERT_TRUE(remove());
  EXPECT_FALSE(fs::exists(opp_ / "vendors/acme"));
  EXPECT_EQ(read_load_priority(opp_).vendors, Texts());
  EXPECT_FALSE(fs::exists(layout_stage(opp_)));
}

TEST_F(VendorLayoutTest, FollowsTheVersionThatServes) {
  ASSERT_TRUE(add() && add(kHigher));
  EXPECT_TRUE(is_of("1.2.0"));
  ASSERT_TRUE(back(false));
  EXPECT_TRUE(is_of("1.0.0"));
  ASSERT_TRUE(back(true));
  EXPECT_TRUE(is_of("1.2.0"));
  ASSERT_TRUE(remove("1.2.0"));
  EXPECT_TRUE(is_of("1.0.0"));
}

TEST_F(VendorLayoutTest, ALowerVersionChangesNothing) {
  ASSERT_TRUE(add(kHigher) && add());
  EXPECT_TRUE(is_of("1.2.0"));
  ASSERT_TRUE(remove("1.0.0"));
  EXPECT_TRUE(is_of("1.2.0"));
}

TEST_F(VendorLayoutTest, WhatIsMissingIsMadeByTheSameInstallation) {
  ASSERT_TRUE(add());
  EXPECT_FALSE(add()) << "there already";
  fs::remove(at("version.info"));
  EXPECT_TRUE(add());
  EXPECT_TRUE(fs::exists(at("version.info")));
  fs::remove_all(at("op_api"));
  EXPECT_TRUE(add());
  EXPECT_TRUE(is_of("1.0.0"));
}

// An OPP of an earlier opkit has none.
TEST_F(VendorLayoutTest, PackagesThatHaveNoneGetTheirsWithTheNextChange) {
  write_installed(opp_, {.version = "1.2.0", .plugin = "good_1_2"});
  ASSERT_TRUE(add());
  EXPECT_TRUE(is_of("1.2.0"));
}

TEST_F(VendorLayoutTest, OthersFilesStay) {
  write_text(at("op_api/lib/libcust_opapi.so"), "other");
  write_text(at("op_api/include/aclnn_other.h"), "// other\n");
  write_text(at("version.info"), "custom_opp_compiler_version=8.5.0\n");
  ASSERT_TRUE(add() && remove());
  EXPECT_EQ(read_text(at("op_api/lib/libcust_opapi.so")), "other");
  EXPECT_EQ(read_text(at("op_api/include/aclnn_other.h")), "// other\n");
  EXPECT_EQ(read_text(at("version.info")), "custom_opp_compiler_version=8.5.0\n");
  EXPECT_FALSE(fs::exists(at("op_api/include/aclnn_add_relu.h")));
}

TEST_F(VendorLayoutTest, AHeaderOfOthersForTheOpStays) {
  write_text(at("op_api/include/aclnn_add_relu.h"), "// other\n");
  ASSERT_TRUE(add() && add(kHigher));
  EXPECT_EQ(header(), "// other\n");
  ASSERT_TRUE(remove("1.2.0") && remove("1.0.0"));
  EXPECT_EQ(header(), "// other\n");
}

// A broken package is nobody's reason to refuse a change of another.
TEST_F(VendorLayoutTest, APackageWithoutItsContractHasNoHeader) {
  ASSERT_TRUE(add() && add(kHigher));
  fs::remove(package_folder(opp_, "acme", "AddRelu", "1.0.0") / kContractFile);
  ASSERT_TRUE(remove("1.2.0"));
  EXPECT_FALSE(fs::exists(at("op_api/include")));
  EXPECT_TRUE(fs::exists(at("version.info")));
  ASSERT_TRUE(remove());
  EXPECT_FALSE(fs::exists(opp_ / "vendors/acme"));
}

// Something comes into the way between the move of a package and its files: they are not lost.
TEST_F(VendorLayoutTest, FilesThatCannotBePutYetWait) {
  const fs::path source = write_package(folder_.path() / "made");
  const PendingChange change{"acme", "AddRelu", "1.0.0"};
  ASSERT_TRUE(add({.vendor = "beta"}));
  ASSERT_TRUE(prepare_layout(opp_, change, source, maker_).ok());
  ASSERT_TRUE(begin_change(opp_, change, source).ok());
  fs::create_directories(change.place(opp_).parent_path());
  fs::rename(source, change.place(opp_));
  write_text(at("op_api"), "a file");
  EXPECT_FALSE(add({.vendor = "gamma"})) << "an earlier change is not at its end";
  EXPECT_TRUE(awaits_layout(opp_, change));
  EXPECT_FALSE(fs::exists(opp_ / "vendors/gamma"));
  fs::remove(at("op_api"));
  EXPECT_TRUE(add({.vendor = "gamma"}));
  EXPECT_TRUE(is_of("1.0.0")) << header();
  EXPECT_TRUE(fs::exists(opp_ / "vendors/gamma/version.info"));
  EXPECT_FALSE(fs::exists(layout_stage(opp_)) || fs::exists(pending_file(opp_)));
}

TEST_F(VendorLayoutTest, WhatStandsInTheWayIsToldBeforeAnythingChanges) {
  write_text(at("op_api"), "a file");
  EXPECT_FALSE(add());
  EXPECT_FALSE(fs::exists(at("op_pkg")));
  fs::remove(at("op_api"));
  fs::create_directories(folder_.path() / "elsewhere");
  fs::create_directory_symlink(folder_.path() / "elsewhere", at("op_api"));
  EXPECT_FALSE(add()) << "a link leads out of the OPP";
  EXPECT_TRUE(fs::is_empty(folder_.path() / "elsewhere"));
}

TEST_F(VendorLayoutTest, TheBuiltInPartHasNone) {
  add({.vendor = "built-in"});
  EXPECT_FALSE(fs::exists(opp_ / "built-in/op_api"));
}

// An installer that an older opkit ended: what it does not know stays behind, of another change.
TEST_F(VendorLayoutTest, ThePlanOfAnotherChangeIsNotFollowed) {
  ASSERT_TRUE(add());
  write_text(layout_stage(opp_) / "plan", "acme Other 1.0.0 arrives\nversion.info\n");
  EXPECT_TRUE(apply_layout(opp_, {"acme", "AddRelu", "1.0.0"}));
  EXPECT_TRUE(fs::exists(at("version.info")));
  EXPECT_FALSE(fs::exists(layout_stage(opp_)));
}

}  // namespace
}  // namespace opkit::registry
