// The Python packages, found by a toolkit's set_env.sh: scripts that judge themselves.
#include "onnx_writer.h"
#include "opkit_test_paths.h"
#include "run_opkit.h"
#include "small_net.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Python : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/python", path("scripts"));
    variables_["ASCEND_OPP_PATH"] = path("opp").string();
    ASSERT_EQ(opkit({"new", "BlendRelu"}).exit_code, 0);
    ASSERT_EQ(opkit({"build", "blend_relu", "--install"}).exit_code, 0);
    ASSERT_EQ(opkit({"toolkit", "kit"}).exit_code, 0);
    write("net.onnx", small_net());
    OnnxWriter open;
    open.input("x", {-1, 4});
    open.node("Relu", {"x"}, "y");
    open.output("y", {-1, 4});
    write("open.onnx", open.model());
  }
  // By the interpreter that the packages were built for.
  Shown python(const std::string& command) {
    write("run.sh", "source kit/set_env.sh\n" OPKIT_PYTHON " " + command + "\n");
    return run_program({"bash", "run.sh"}, folder_, variables_);
  }
};

TEST_F(Python, RunsAclPrograms) {
  const Shown made = opkit({"atc", "--model=" + path("net.onnx").string(), "--framework=5",
                            "--output=" + path("net").string(), "--soc_version=Ascend910B1"});
  ASSERT_EQ(made.exit_code, 0) << made.out << made.err;
  for (const char* mode : {"fast", "checked"}) {
    variables_["OPKIT_MODE"] = mode;
    const Shown shown = python("scripts/classify.py net.om");
    EXPECT_EQ(shown.exit_code, 0) << shown.out << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("0 wrong, 25 misuses"));
    EXPECT_THAT(shown.err, testing::Not(HasSubstr("leak")));
  }
  variables_["OPKIT_SOC"] = "Ascend310B1";
  EXPECT_THAT(python("-c \"import acl; print(acl.get_soc_name())\"").out, HasSubstr("Ascend310B1"));
  EXPECT_THAT(python("scripts/classify.py net.om").err, HasSubstr("AssertionError"));
  variables_["OPKIT_SOC"] = "Ascend999";
  EXPECT_THAT(python("-c \"import acl; acl.get_soc_name()\"").err, HasSubstr("OPK-SOC-002"));
}

TEST_F(Python, ThePackageOfOps) {
  const Shown shown = python("scripts/package.py net.onnx open.onnx");
  EXPECT_EQ(shown.exit_code, 0) << shown.out << shown.err;
  EXPECT_THAT(shown.err, HasSubstr("Ran 15 tests"));
}

class PythonOfShippedOps : public OpkitTest {};

TEST_F(PythonOfShippedOps, SeveralOutputsAreATuple) {
  if (!take_shipped({"TopK", "DynamicQuant"})) GTEST_SKIP() << "no packages: run `make ops` first";
  variables_["ASCEND_OPP_PATH"] = path("opp").string();
  ASSERT_EQ(opkit({"toolkit", "kit"}).exit_code, 0);
  write("run.sh", "source kit/set_env.sh\n" OPKIT_PYTHON " " OPKIT_SOURCE_DIR
                  "/tests/e2e/python/several_outputs.py\n");
  const Shown shown = run_program({"bash", "run.sh"}, folder_, variables_);
  EXPECT_EQ(shown.exit_code, 0) << shown.out << shown.err;
  EXPECT_THAT(shown.err, HasSubstr("Ran 4 tests"));
}

}  // namespace
}  // namespace opkit::e2e
