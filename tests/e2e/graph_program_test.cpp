// The graph front end: a program builds a net with ge::Graph, and its offline model gives what atc
// makes of the same net in ONNX. On the packages that `make ops` installed where there are any,
// else on the host.

#include <algorithm>

#include "npy.h"
#include "onnx_writer.h"
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// graph_main.cpp makes the same weights.
std::string twin() {
  OnnxWriter net;
  net.input("x", {2, 3, 16, 16});
  net.constant("w0", {16, 3, 3, 3}, sixteenths(16 * 27, 1));
  net.constant("b0", {16}, sixteenths(16, 4));
  net.constant("w1", {16, 16, 3, 3}, sixteenths(16 * 144, 2));
  net.constant("scale", {16}, sixteenths(16, 3));
  net.constant("shift", {16}, sixteenths(16, 5));
  net.constant("mean", {16}, sixteenths(16, 6));
  net.constant("variance", {16}, std::vector<float>(16, 0.75f));
  net.constant("w2", {16, 10}, sixteenths(160, 7));
  net.constant("b2", {10}, sixteenths(10, 8));
  net.node("Conv", {"x", "w0", "b0"}, "c0", "pads", {1, 1, 1, 1});
  net.node("BatchNormalization", {"c0", "scale", "shift", "mean", "variance"}, "n0");
  net.node("Relu", {"n0"}, "r0");
  net.node("MaxPool", {"r0"}, "p0", "kernel_shape", {2, 2});
  net.node("Conv", {"p0", "w1"}, "c1", "pads", {1, 1, 1, 1});
  net.node("Add", {"c1", "p0"}, "a");
  net.node("Relu", {"a"}, "r1");
  net.node("GlobalAveragePool", {"r1"}, "g");
  net.node("Flatten", {"g"}, "f");
  net.node("MatMul", {"f", "w2"}, "m");
  net.node("Add", {"m", "b2"}, "l");
  net.node("Softmax", {"l"}, "y");
  net.output("y", {2, 10});
  return net.model();
}

class GraphPrograms : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    use_shipped("Conv");
    fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/programs/graph_main.cpp",
             path("graph_main.cpp"));
    write("x.npy", float_npy(sixteenths(2 * 3 * 256, 9), "2, 3, 16, 16"));
  }

  // Steps, and the digest of the output.
  std::pair<int, std::string> run(const std::string& om) {
    const auto ran = opkit_json({"model", "run", om, "--input", "x=x.npy", "--out", "y=y.npy"});
    for (const float share : floats_of(read("y.npy"))) EXPECT_GT(share, 0);
    return {ran["steps"], ran["outputs"][0]["sha256"]};
  }
  void make_model(const std::string& program) {
    const Shown made = run_program({path(program).string(), "net"}, folder_, variables_);
    EXPECT_EQ(made.exit_code, 0) << made.out << made.err;
    EXPECT_THAT(made.out, HasSubstr("13 misuses"));
  }
};

TEST_F(GraphPrograms, MakeTheModelThatAtcMakes) {
  const Shown built = opkit({"cc", "graph_main.cpp", "-o", "graph"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  make_model("graph");
  EXPECT_FALSE(fs::exists(path("none.om")));
  write("twin.onnx", twin());
  const Shown atc = opkit(
      {"atc", "--model=twin.onnx", "--framework=5", "--output=twin", "--soc_version=Ascend910B1"});
  ASSERT_EQ(atc.exit_code, 0) << atc.err;
  EXPECT_EQ(run("net.om"), run("twin.om"));
  EXPECT_EQ(run("net_gears.om"), run("twin.om"));  // the gear of two images
}

// Builds one source with an ordinary compiler, against the toolkit's folder.
TEST_F(GraphPrograms, BuildWithoutOpkit) {
  ASSERT_EQ(opkit({"toolkit", "kit"}).exit_code, 0);
  write("build.sh",
        "set -e\nsource kit/set_env.sh\n"
        "g++ -std=c++17 -Wall -Werror -I$ASCEND_HOME_PATH/include graph_main.cpp -o graph"
        " -L$ASCEND_TOOLKIT_HOME/lib64 -lge_compiler -lgraph\n"
        "./graph net\n");
  const Shown shown = run_program({"bash", "build.sh"}, folder_, variables_);
  EXPECT_EQ(shown.exit_code, 0) << shown.out << shown.err;
  EXPECT_EQ(opkit({"om", "show", "net.om"}).exit_code, 0);
}

// An installed op by its class of op_proto.h, and by its own type.
TEST_F(GraphPrograms, HaveInstalledOps) {
  if (!fs::exists(fs::path(variables_["ASCEND_OPP_PATH"]) / "vendors/opkit/op_pkg/AddRelu"))
    GTEST_SKIP() << "no packages: run `make ops` first";
  write("add.cpp", R"(#include "ge/ge_ir_build.h"
#include "op_proto.h"
int main() {
  const ge::TensorDesc desc(ge::Shape({64, 512}), ge::FORMAT_ND, ge::DT_FLOAT16);
  auto x = ge::op::Data("x"), y = ge::op::Data("y");
  x.update_input_desc_x(desc);
  y.update_input_desc_x(desc);
  auto sum = ge::op::AddRelu("sum").set_input_x(x).set_input_y(y);
  ge::Operator twice("twice", "AddRelu");
  twice.SetInput("x", sum).SetInput("y", y);
  std::vector<ge::Operator> inputs{x, y}, outputs{twice};
  ge::Graph graph("add");
  graph.SetInputs(inputs).SetOutputs(outputs);
  const std::map<std::string, std::string> chip = {{ge::ir_option::SOC_VERSION, "Ascend310B1"}};
  ge::ModelBufferData model;
  return ge::aclgrphBuildInitialize(chip) != 0 ||
         ge::aclgrphBuildModel(graph, std::map<std::string, std::string>(), model) != 0 ||
         ge::aclgrphSaveModel("add.om", model) != 0;
}
)");
  ASSERT_EQ(opkit({"cc", "add.cpp", "-o", "add"}).exit_code, 0);
  EXPECT_EQ(run_program({path("add").string()}, folder_, variables_).exit_code, 0);
  const auto om = opkit_json({"om", "show", "add.om"});
  ASSERT_EQ(om["plugins"].size(), 1u) << om;
  EXPECT_EQ(om["plugins"][0]["op"], "AddRelu");
  EXPECT_EQ(std::count_if(om["steps"].begin(), om["steps"].end(),
                          [](const auto& step) { return step["kind"] == "kernel"; }),
            2)
      << om;
  EXPECT_EQ(om["soc"], "Ascend310B1");
}

}  // namespace
}  // namespace opkit::e2e
