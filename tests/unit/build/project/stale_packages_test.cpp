#include "opkit/build/project/stale_packages.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

namespace opkit::project {
namespace {

namespace fs = std::filesystem;

class StalePackages : public testing::Test {
 protected:
  StalePackages() {
    std::string name = (fs::path(testing::TempDir()) / "stale_packages_XXXXXX").string();
    top_ = mkdtemp(name.data());
  }
  ~StalePackages() override { fs::remove_all(top_); }

  fs::path package(const fs::path& folder) {
    fs::create_directories(folder / "op_proto");
    std::ofstream(folder / "manifest.yaml") << "op: X\n";
    std::ofstream(folder / "op_proto" / "op_contract.yaml") << "op: X\n";
    return folder;
  }

  fs::path top_;
};

TEST_F(StalePackages, TheOnlyPackageOfBeforeGoesWhenThereAreSeveral) {
  package(top_);
  const fs::path a = package(top_ / "a"), b = package(top_ / "b");
  remove_stale_packages(top_, {a, top_ / "." / "b"});
  EXPECT_TRUE(fs::exists(a / "manifest.yaml") && fs::exists(b / "op_proto"));
  EXPECT_FALSE(fs::exists(top_ / "manifest.yaml") || fs::exists(top_ / "op_proto"));
}

TEST_F(StalePackages, PackagesOfOpsThatHaveLeftGo) {
  const fs::path a = package(top_ / "a"), gone = package(top_ / "ab");
  remove_stale_packages(top_, {a});
  EXPECT_TRUE(fs::exists(a));
  EXPECT_FALSE(fs::exists(gone));
}

TEST_F(StalePackages, SeveralPackagesGoWhenOneIsLeft) {
  package(top_);
  const fs::path gone = package(top_ / "a");
  remove_stale_packages(top_, {top_});
  EXPECT_TRUE(fs::exists(top_ / "manifest.yaml") && fs::exists(top_ / "op_proto"));
  EXPECT_FALSE(fs::exists(gone));
}

}  // namespace
}  // namespace opkit::project
