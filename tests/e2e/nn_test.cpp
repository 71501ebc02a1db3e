// aclnn calls: a host program without kernels runs installed ops through the headers that
// `opkit cc` makes of their contracts.
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class NnCalls : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/programs", path("src"));
    variables_["ASCEND_OPP_PATH"] = path("opp").string();
    ASSERT_EQ(opkit({"new", "BlendRelu"}).exit_code, 0);
    install();
  }
  void install() {
    const Shown built = opkit({"build", "blend_relu", "--install"});
    ASSERT_EQ(built.exit_code, 0) << built.err;
  }
  Shown run() { return run_program({path("nn").string()}, folder_, variables_); }
};

TEST_F(NnCalls, RunAnInstalledOpOnTensorsAndViewsInEveryMode) {
  const Shown built = opkit({"cc", "src/nn_main.cpp", "-o", "nn"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  for (const char* mode : {"fast", "checked", "timed"}) {
    variables_["OPKIT_MODE"] = mode;
    const Shown shown = run();
    EXPECT_EQ(shown.exit_code, 0) << mode << ": " << shown.out << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("0 wrong of 4 calls"));
  }
}

// Calls the op by its type: descriptions, buffers, attributes.
TEST_F(NnCalls, RunAsSingleOperatorsInEveryMode) {
  const Shown built = opkit({"cc", "src/op_main.cpp", "-o", "nn"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  for (const char* mode : {"fast", "checked", "timed"}) {
    variables_["OPKIT_MODE"] = mode;
    const Shown shown = run();
    EXPECT_EQ(shown.exit_code, 0) << mode << ": " << shown.out << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("0 wrong of 3 ways, 20 misuses"));
    EXPECT_THAT(shown.err, testing::Not(HasSubstr("leak")));
  }
}

TEST_F(NnCalls, SayWhenTheOpIsNotInstalledAnyMore) {
  ASSERT_EQ(opkit({"cc", "src/nn_main.cpp", "-o", "nn"}).exit_code, 0);
  variables_["ASCEND_OPP_PATH"] = path("nowhere").string();
  const Shown shown = run();
  EXPECT_EQ(shown.exit_code, 3);
  EXPECT_THAT(shown.err, AllOf(HasSubstr("aclnnBlendReluGetWorkspaceSize: 561112"),
                               HasSubstr("BlendRelu"), HasSubstr("OPK-REG-")));
}

TEST_F(NnCalls, AHeaderOfAnotherVersionIsRefused) {
  ASSERT_EQ(opkit({"cc", "src/nn_main.cpp", "-o", "nn"}).exit_code, 0);
  edit("blend_relu/op_contract.yaml", "version: \"1.0.0\"", "version: \"2.0.0\"");
  edit("blend_relu/op_contract.yaml", "attrs:\n", "attrs:\n  beta: {type: float, default: 1.0}\n");
  install();
  const Shown shown = run();
  EXPECT_EQ(shown.exit_code, 3);
  EXPECT_THAT(shown.err,
              AllOf(HasSubstr("OPK-ACLNN-001"), HasSubstr("4 arguments"), HasSubstr("takes 5")));
}

}  // namespace
}  // namespace opkit::e2e
