#include "opkit/build/project/template_copy.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <fstream>

namespace opkit::project {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class TemplateCopy : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "opkit-template-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  void put(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / "from" / name).parent_path());
    std::ofstream(folder_ / "from" / name) << text;
  }
  Result<std::vector<std::string>> copy() {
    return copy_template(folder_ / "from", folder_ / "shared", folder_ / "to",
                         {"GruCell", "gru_cell", "acme"});
  }
  std::string read(const std::string& name) {
    std::ifstream file(folder_ / "to" / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path folder_;
};

TEST_F(TemplateCopy, ReplacesNamesInPathsAndTexts) {
  put("op_kernel/@op@.cpp", "class Kernel@OP@ {}; // @VENDOR@ @OP_UPPER@_H_ a@b.c");
  const auto files = copy();
  ASSERT_TRUE(files.ok());
  EXPECT_THAT(*files, ElementsAre("op_kernel/gru_cell.cpp"));
  EXPECT_EQ(read("op_kernel/gru_cell.cpp"), "class KernelGruCell {}; // acme GRU_CELL_H_ a@b.c");
}

TEST_F(TemplateCopy, AnUnknownPlaceholderLeavesNothingBehind) {
  put("a", "fine");
  put("b", "class @OPP@ {};");
  const auto files = copy();
  ASSERT_FALSE(files.ok());
  EXPECT_EQ(files.error().code, "OPK-NEW-005");
  EXPECT_THAT(files.error().message, HasSubstr("@OPP@"));
  size_t left = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_)) ++left;
  EXPECT_EQ(left, 1u);  // only "from"
}

TEST_F(TemplateCopy, AnExistingTargetIsNotTouched) {
  put("a", "fine");
  fs::create_symlink("nowhere", folder_ / "to");
  const auto files = copy();
  ASSERT_FALSE(files.ok());
  EXPECT_EQ(files.error().code, "OPK-NEW-003");
}

TEST(NamesFor, SuggestsANearName) {
  EXPECT_EQ(names_for("conv-bn relu", "v").error().action, "opkit new ConvBnRelu");
  EXPECT_EQ(names_for("9Lives", "v").error().action, "opkit new Op9Lives");
  EXPECT_EQ(names_for("Exp", "v").error().action, "opkit new ExpCustom");
  EXPECT_TRUE(names_for("ExpCustom", "v").ok());
  EXPECT_EQ(names_for("A", "").error().code, "OPK-NEW-001");
}

}  // namespace
}  // namespace opkit::project
