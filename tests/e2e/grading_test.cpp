// Grading and replaying: mutants of a scaffolded op, failures that come back from their capsule.
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class Grading : public OpkitTest {
 protected:
  static void SetUpTestSuite() {
    std::string pattern = (fs::temp_directory_path() / "opkit-e2e-graded-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    built_ = new fs::path(pattern);
    run_program({opkit_binary(), "new", "MyFused", "--vendor", "acme"}, *built_);
    run_program({opkit_binary(), "build", "my_fused"}, *built_);
  }
  static void TearDownTestSuite() {
    std::error_code ignored;
    fs::remove_all(*built_, ignored);
    delete built_;
  }

  void SetUp() override {
    OpkitTest::SetUp();
    ASSERT_TRUE(fs::exists(*built_ / "my_fused/build/package/manifest.yaml"));
    fs::create_directories(path("my_fused/build"));
    for (const char* part :
         {"op_contract.yaml", "CMakeLists.txt", "op_kernel", "op_host", "build/package"})
      fs::copy(*built_ / "my_fused" / part, path("my_fused") / part, fs::copy_options::recursive);
  }

  static fs::path* built_;
};
fs::path* Grading::built_ = nullptr;

TEST_F(Grading, MutantsOfAScaffoldedOpAreFoundOut) {
  const nlohmann::json report =
      opkit_json({"test", "my_fused", "--mutants", "--tier", "smoke", "--limit", "8"});
  EXPECT_EQ(report["op"], "MyFused");
  EXPECT_EQ(report["mutants"].size(), 8u);
  EXPECT_GT(report["killed"], 3);
  EXPECT_EQ(report["kill_rate"], 1.0) << report.dump(2);
  for (const auto& mutant : report["mutants"]) EXPECT_FALSE(mutant["by"].empty()) << mutant;
  EXPECT_TRUE(fs::exists(path("my_fused/build/mutants")));
}

TEST_F(Grading, MutantsWantAProjectThatPasses) {
  const Shown installed = opkit({"test", "MyFused", "--mutants"});
  EXPECT_EQ(installed.exit_code, 2);
  EXPECT_THAT(installed.err, AllOf(HasSubstr("OPK-CLI-017"), HasSubstr("op_kernel")));
  const Shown flag = opkit({"test", "my_fused", "--mutants", "--soc", "Ascend910B1"});
  EXPECT_EQ(flag.exit_code, 2);
  EXPECT_THAT(flag.err, AllOf(HasSubstr("OPK-CLI-016"), HasSubstr("--soc")));
  EXPECT_THAT(opkit({"test", "my_fused", "--limit", "3"}).err, HasSubstr("OPK-CLI-003"));
  edit("my_fused/op_kernel/my_fused.cpp", "Relu(z, z, count);", "");
  const Shown wrong = opkit({"test", "my_fused", "--mutants", "--tier", "smoke", "--work", "w"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("OPK-VERIFY-052"), HasSubstr("try: let opkit test pass")));
}

}  // namespace
}  // namespace opkit::e2e
