#include "opkit/build/project/scratch.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

namespace opkit::project {
namespace {

namespace fs = std::filesystem;

class ScratchTest : public testing::Test {
 protected:
  ScratchTest() {
    std::string name = (fs::path(testing::TempDir()) / "scratch_test_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    setenv("TMPDIR", folder_.c_str(), 1);
  }
  ~ScratchTest() override {
    unsetenv("TMPDIR");
    fs::remove_all(folder_);
  }

  // As a killed command leaves it.
  fs::path leave(const std::string& name) {
    const fs::path path = folder_ / name;
    fs::create_directories(path / "op_proto");
    std::ofstream(path / "op_proto" / "op_contract.yaml") << "op: X\n";
    return path;
  }

  fs::path folder_;
};

TEST_F(ScratchTest, IsGoneAtTheEnd) {
  fs::path path;
  {
    const Scratch scratch;
    path = scratch.path();
    ASSERT_TRUE(scratch.check().ok());
    EXPECT_TRUE(fs::is_directory(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(ScratchTest, WhatKilledCommandsLeftIsNamedAndGoesWithTheNextOne) {
  const fs::path left = leave("opkit-scratch-killed"), other = leave("opkit-other");
  EXPECT_EQ(Scratch::left_over(), std::vector<fs::path>{left});
  const Scratch scratch;
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(other));
  EXPECT_TRUE(Scratch::left_over().empty());
}

TEST_F(ScratchTest, FoldersInUseStay) {
  const Scratch first, second;
  EXPECT_TRUE(fs::is_directory(first.path()));
  EXPECT_TRUE(Scratch::left_over().empty());
}

TEST_F(ScratchTest, NoPlaceIsAnError) {
  setenv("TMPDIR", (folder_ / "nowhere").c_str(), 1);
  const Scratch scratch;
  ASSERT_FALSE(scratch.check().ok());
  EXPECT_EQ(scratch.check().error().code, "OPK-ENV-004");
}

}  // namespace
}  // namespace opkit::project
