#include "opkit/build/project/shared_parts.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "opkit/base/file.h"

namespace opkit::project {
namespace {
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class SharedParts : public testing::Test {
 protected:
  SharedParts() { write("parts/op_kernel/loops.h", "#include \"loops_tiling.h\"\n"); }
  ~SharedParts() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  std::vector<std::string> added() {
    const auto files = add_shared_parts(root_ / "parts", root_ / "op");
    EXPECT_TRUE(files.ok());
    return files.ok() ? *files : std::vector<std::string>();
  }

  fs::path root_ = fs::path(testing::TempDir()) / ("shared_parts_" + std::to_string(::getpid()));
};

TEST_F(SharedParts, CopiesWhatIsIncludedAndWhatThatIncludes) {
  write("parts/op_kernel/loops_tiling.h", "struct Loops {};\n");
  write("parts/op_host/loops_plan.h", "#include \"../op_kernel/loops_tiling.h\"\n");
  write("parts/op_kernel/other.h", "");
  write("op/op_kernel/my.cpp", "#include \"kernel_operator.h\"\n  # include \"loops.h\"\n");
  write("op/op_host/my.cpp", "#include \"loops_plan.h\"\n// #include \"other.h\"\n");
  EXPECT_THAT(added(),
              ElementsAre("op_host/loops_plan.h", "op_kernel/loops.h", "op_kernel/loops_tiling.h"));
  EXPECT_EQ(*read_file(root_ / "op/op_kernel/loops_tiling.h"), "struct Loops {};\n");
  EXPECT_THAT(added(), IsEmpty());  // everything is there
}

TEST_F(SharedParts, LeavesTheProjectsOwnFilesAlone) {
  write("op/op_kernel/my.cpp", "#include \"loops.h\"\n");
  write("op/op_kernel/loops.h", "// mine\n");
  EXPECT_THAT(added(), IsEmpty());
  EXPECT_EQ(*read_file(root_ / "op/op_kernel/loops.h"), "// mine\n");
}

TEST_F(SharedParts, NeverLeavesTheProject) {
  write("secret.h", "");
  write("deep/op/op_kernel/my.cpp", "#include \"../../secret.h\"\n#include \"../loops.h\"\n");
  const auto files = add_shared_parts(root_ / "parts", root_ / "deep/op");
  ASSERT_TRUE(files.ok());
  EXPECT_THAT(*files, IsEmpty());
  EXPECT_FALSE(fs::exists(root_ / "deep/secret.h"));
}

TEST_F(SharedParts, AnOpOfAFamilyHasWhatItsSourcesInclude) {
  write("op/op_kernel/mine.cpp", "#include \"mine.h\"\n");
  write("op/op_kernel/mine.h",
        "#include \"tiling.h\"\n#include \"mine.h\"\n#include \"../../x.h\"\n");
  write("op/op_kernel/tiling.h", "");
  write("op/op_kernel/others.h", "");
  write("op/op_host/family.cpp", "#include \"../op_kernel/tiling.h\"\n#include \"plan.h\"\n");
  write("op/op_host/plan.h", "#include \"kernel_operator.h\"\n");
  write("x.h", "");
  EXPECT_THAT(with_includes(root_ / "op", {"op_kernel/mine.cpp", "op_host/family.cpp"}),
              ElementsAre("op_host/family.cpp", "op_host/plan.h", "op_kernel/mine.cpp",
                          "op_kernel/mine.h", "op_kernel/tiling.h"));
  EXPECT_THAT(with_includes(root_ / "op", {}), IsEmpty());
}

}  // namespace
}  // namespace opkit::project
