// aclnn calls: a host program without kernels runs installed ops through the headers that
// `opkit cc` makes of their contracts.
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

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
  // A place that is wrong is named; programs have no options.
  fs::create_directories(path("none/vendors"));
  variables_["ASCEND_OPP_PATH"] = path("none").string();
  for (const auto& [entry, words] : {std::pair{"gone", "does not exist"},
                                     {"opp", "two levels too high"},
                                     {"opp/vendors", "one level too high"}}) {
    variables_["ASCEND_CUSTOM_OPP_PATH"] = path(entry).string();
    const std::string said = run().err;
    EXPECT_THAT(said, AllOf(HasSubstr("OPK-REG-001"), HasSubstr(words), Not(HasSubstr("--opp"))));
  }
}

// Launches with what a failing first call left.
constexpr const char* kIgnoresCodes = R"source(
#include <cstdio>
#include "acl/acl.h"
#include "aclnn_blend_relu.h"
  int main() {
    aclInit(nullptr);
    aclrtSetDevice(0);
    void* memory = nullptr;
    aclrtMalloc(&memory, 2048, ACL_MEM_MALLOC_HUGE_FIRST);
    const int64_t dims[] = {512};
    aclTensor* x = aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, memory);
    uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    aclnnBlendReluGetWorkspaceSize(x, x, 7.0f, x, &bytes, &executor);
    const int code = aclnnBlendRelu(nullptr, bytes, executor, nullptr);
    std::printf("%d %s\n", code, aclGetRecentErrMsg());
  }
)source";

TEST_F(NnCalls, ANullExecutorRepeatsTheTilingFunctionsWords) {
  write("ignores.cpp", kIgnoresCodes);
  ASSERT_EQ(opkit({"cc", "ignores.cpp", "-o", "nn"}).exit_code, 0);
  edit("blend_relu/op_host/blend_relu.cpp", "#include \"elementwise_plan.h\"",
       "#include \"elementwise_plan.h\"\n#include \"log/log.h\"");
  edit("blend_relu/op_host/blend_relu.cpp", "  return elementwise::Plan",
       "  if (tiling->alpha == 7.0f) {\n"
       "    OP_LOGE(context->GetNodeName(), \"seven is no blend\");\n"
       "    return ge::GRAPH_FAILED;\n  }\n  return elementwise::Plan");
  install();
  EXPECT_THAT(run().out,
              AllOf(HasSubstr("GetWorkspaceSize had failed"), HasSubstr("seven is no blend")));
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
