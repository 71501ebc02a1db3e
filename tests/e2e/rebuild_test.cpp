// A build does again what changed sources ask for, and nothing else.
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kFusedKernel = "my_fused/op_kernel/my_fused.cpp";

class Rebuild : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    ASSERT_EQ(opkit({"new", "MyFused"}).exit_code, 0);
    build();
  }
  // Builds the project, and gives the files of its build folder that are new or were written again.
  std::vector<std::string> build(const std::string& project = "my_fused") {
    const auto before = times(project);
    const Shown shown = opkit({"build", project});
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    std::vector<std::string> written;
    for (const auto& [name, time] : times(project)) {
      const auto found = before.find(name);
      if (found == before.end() || found->second != time) written.push_back(name);
    }
    return written;
  }
  std::map<std::string, fs::file_time_type> times(const std::string& project) const {
    std::map<std::string, fs::file_time_type> found;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(path(project + "/build"), none)) {
      const std::string name = entry.path().string();
      // What ninja notes of itself.
      if (entry.is_regular_file() && name.find("/.ninja_") == std::string::npos)
        found[name] = entry.last_write_time();
    }
    return found;
  }
  void append(const std::string& file, const std::string& text) const {
    write(file, read(file) + text);
  }
  // Returns how many of the files have both words in their names.
  static size_t count(const std::vector<std::string>& files, const std::string& word,
                      const std::string& end) {
    return std::count_if(files.begin(), files.end(), [&](const std::string& name) {
      return name.find(word) != std::string::npos && name.ends_with(end);
    });
  }
  static size_t kernels(const std::vector<std::string>& files) {
    return count(files, "/kernel_c", ".cpp.o");
  }
  static size_t hosts(const std::vector<std::string>& files) {
    return count(files, "/op_host/", ".cpp.o");
  }
  static size_t configurations(const std::vector<std::string>& files) {
    return count(files, "/build", "/build.ninja");
  }
};

TEST_F(Rebuild, DoesWhatChangedSourcesAskFor) {
  EXPECT_THAT(build(), IsEmpty());

  append("my_fused/op_host/my_fused.cpp", "// more words\n");
  const auto host = build();
  EXPECT_EQ(hosts(host), 1u);
  EXPECT_EQ(kernels(host), 0u);
  EXPECT_EQ(configurations(host), 0u);

  append(kFusedKernel, "// more words\n");
  const auto kernel = build();
  EXPECT_EQ(hosts(kernel), 0u);
  EXPECT_GE(kernels(kernel), 3u) << "each column's";
  EXPECT_EQ(configurations(kernel), 0u);
  EXPECT_THAT(build(), IsEmpty());

  // Another list of units is another configuration, and so are other words.
  edit("my_fused/op_contract.yaml", "[float16, float32, bfloat16]", "[float16, float32]");
  EXPECT_EQ(configurations(build()), 1u);
  opkit_json({"build", "my_fused", "-D", "WORD=1"});
  EXPECT_EQ(configurations(build()), 1u) << "without the macro";
}

TEST_F(Rebuild, TellsOfSourcesThatCannotBeRead) {
  edit(kFusedKernel, "void my_fused(", "void your_fused(");
  for (int again = 0; again < 2; ++again) {
    const Shown shown = opkit({"build", "my_fused"});
    EXPECT_EQ(shown.exit_code, 1);
    EXPECT_THAT(shown.err, AllOf(HasSubstr("OPK-BUILD-003"), HasSubstr("configuring failed"),
                                 HasSubstr("OPK-GEN-010"), Not(HasSubstr("ninja: error"))));
  }
  edit(kFusedKernel, "void your_fused(", "void my_fused(");
  build();
  // The only kernel may have another name.
  fs::rename(path(kFusedKernel), path("my_fused/op_kernel/other.cpp"));
  EXPECT_GE(kernels(build()), 3u);
  fs::remove(path("my_fused/op_contract.yaml"));
  EXPECT_THAT(opkit({"build", "my_fused"}).err, HasSubstr("OPK-BUILD-001"));
}

// What the host sources say of tiling structs is a header of the kernels.
TEST_F(Rebuild, LeavesKernelsWhoseTilingStructStays) {
  ASSERT_EQ(opkit({"new", "MyProduct", "--template", "matmul"}).exit_code, 0);
  EXPECT_GE(kernels(build("my_product")), 1u);
  append("my_product/op_host/my_product.cpp", "// more words\n");
  const auto host = build("my_product");
  EXPECT_EQ(hosts(host), 1u);
  EXPECT_EQ(kernels(host), 0u);
  EXPECT_THAT(build("my_product"), IsEmpty());
}

}  // namespace
}  // namespace opkit::e2e
