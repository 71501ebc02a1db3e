// One model and three states of an op: there, gone, and there in a slower version; the next
// compilation uses what is best, and says so. With the packages that `make ops` installed.

#include "onnx_writer.h"
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Covers : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    if (!take_shipped({"Conv", "Relu", "ConvBnRelu"}))
      GTEST_SKIP() << "no packages: run `make ops` first";
    write("m.onnx", model());
  }

  static std::string model() {
    OnnxWriter model;
    model.input("x", {1, 64, 56, 56});
    model.constant("w", {64, 64, 1, 1}, std::vector<float>(64 * 64, 0.01f));
    for (const char* name : {"scale", "shift", "mean", "variance"})
      model.constant(name, {64}, std::vector<float>(64, 1.0f));
    model.node("Conv", {"x", "w"}, "conv", "pads", {0, 0, 0, 0});
    model.node("BatchNormalization", {"conv", "scale", "shift", "mean", "variance"}, "norm");
    model.node("Relu", {"norm"}, "relu");
    model.output("relu", {1, 64, 56, 56});
    return model.model();
  }

  Shown atc(const std::vector<std::string>& more) {
    std::vector<std::string> words = {
        "atc", "--model=m.onnx",           "--framework=5", "--output=m", "--opp",
        "opp", "--soc_version=Ascend910B1"};
    words.insert(words.end(), more.begin(), more.end());
    return opkit(words);
  }

  std::string explained() {
    const Shown made = atc({"--explain"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    return made.out;
  }

  // The kernel of a new version has `line` in place of its Relu.
  void install_changed(const std::string& line) {
    fs::create_directories(path("ops/fused"));
    for (const char* part : {"shared", "fused/conv_bn"})
      fs::copy(fs::path(OPKIT_SOURCE_DIR) / "ops" / part, path("ops") / part,
               fs::copy_options::recursive);
    edit("ops/fused/conv_bn/family.yaml", "version: \"1.0.0\"", "version: \"1.0.1\"");
    edit("ops/fused/conv_bn/op_kernel/conv_bn_relu.cpp", "Relu(y, y, count);", line);
    // Leaves out what the model does not use: the other op of the family and the other column.
    fs::remove(path("ops/fused/conv_bn/conv_bn_silu_contract.yaml"));
    const Shown built = opkit({"build", "ops/fused/conv_bn", "--column", "float32"});
    ASSERT_EQ(built.exit_code, 0) << built.err;
    ASSERT_EQ(opkit({"install", "ops/fused/conv_bn", "--opp", "opp"}).exit_code, 0);
  }
};

TEST_F(Covers, FollowTheInstalledOps) {
  // In: one kernel for three nodes, of which the canonical form has two.
  EXPECT_THAT(explained(), AllOf(HasSubstr("conv_node (Conv): ConvBnRelu (2 nodes"),
                                 HasSubstr("could be Conv (1 node"),
                                 HasSubstr("relu_node (Relu): ConvBnRelu (2 nodes")));
  // Out: nothing but the package is gone.
  fs::remove_all(path("opp/vendors/opkit/op_pkg/ConvBnRelu"));
  EXPECT_THAT(explained(),
              AllOf(HasSubstr("conv_node (Conv): Conv (1 node"),
                    HasSubstr("relu_node (Relu): Relu (1 node"), Not(HasSubstr("ConvBnRelu"))));
  // In a slower version: known, and not chosen.
  install_changed("for (int i = 0; i < 500; ++i) Relu(y, y, count);");
  EXPECT_THAT(explained(), AllOf(HasSubstr("conv_node (Conv): Conv (1 node"),
                                 HasSubstr("relu_node (Relu): Relu (1 node"),
                                 HasSubstr("could be ConvBnRelu (2 nodes")));
  // Why it is not faster: the place where it fits, beside the ops that the cover takes.
  const auto compared = opkit_json({"compare", "--model", "m.onnx", "--opp", "opp"});
  ASSERT_EQ(compared["places"].size(), 1u) << compared;
  const auto& place = compared["places"][0];
  EXPECT_EQ(place["op"], "ConvBnRelu");
  EXPECT_EQ(place["chosen"], false);
  EXPECT_EQ(place["slower"], true);
  EXPECT_EQ(place["separate"].size(), 2u);
  EXPECT_GT(place["fused"]["pipes"]["V"], 0.5) << place;
  EXPECT_THAT(opkit({"compare", "--model", "m.onnx", "--opp", "opp"}).out,
              AllOf(HasSubstr("is slower than separate ops by"), HasSubstr("V works"),
                    HasSubstr("fewer or wider vector instructions")));
}

TEST_F(Covers, AreComparedOnDataBeforeAnythingIsWritten) {
  const std::string said = "checked: the chosen cover against single nodes";
  EXPECT_THAT(atc({}).out, HasSubstr(said));
  EXPECT_THAT(atc({"--check"}).out, AllOf(HasSubstr("distinct calls"), HasSubstr(said)));
  EXPECT_THAT(atc({"--no-check"}).out, Not(HasSubstr("checked")));
  EXPECT_THAT(
      atc({"--no-check", "--check"}).err,
      HasSubstr("parameter [--no-check] is invalid. Reason: --check asks for the opposite"));
  install_changed("Relu(y, y, count); Add(y, y, y, count);");
  fs::remove(path("m.om"));
  const Shown wrong = atc({});
  EXPECT_NE(wrong.exit_code, 0);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("OPK-PROOF-002"), HasSubstr("output 'relu'")));
  EXPECT_FALSE(fs::exists(path("m.om")));
  const Shown compared = opkit({"compare", "--model", "m.onnx", "--opp", "opp"});
  EXPECT_EQ(compared.exit_code, 1) << compared.err;
  EXPECT_THAT(compared.out, HasSubstr("correctness first: error OPK-PROOF-002"));
  for (const char* vendor : {"opkit", "customize"})
    fs::remove_all(path("opp/vendors") / vendor / "op_pkg/ConvBnRelu");
  const Shown none = opkit({"compare", "--model", "m.onnx", "--opp", "opp"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("OPK-COMPARE-002"));
  EXPECT_THAT(opkit({"compare", "AddRelu", "--model", "m.onnx"}).err,
              HasSubstr("op and --model do not go together"));
}

TEST_F(Covers, KeepCostsOfOneVersionOfTheModelOfTime) {
  const auto costs = [&] {
    return opkit_json({"atc", "--model=m.onnx", "--framework=5", "--output=m", "--opp", "opp",
                       "--soc_version=Ascend910B1", "--no-check"})["cover"];
  };
  const auto first = costs(), second = costs();
  EXPECT_GT(first["costs_modelled"], 0);
  EXPECT_EQ(second["costs_modelled"], 0);
  EXPECT_EQ(second["costs_from_cache"], first["costs_modelled"]);
  // What is kept under another version is of another model of time, or of other figures.
  const fs::path kept = fs::path(variables_.at("OPKIT_CACHE_DIR")) / "costs";
  std::vector<fs::path> versions(fs::directory_iterator(kept), fs::directory_iterator{});
  ASSERT_EQ(versions.size(), 1u);
  fs::rename(versions[0], kept / "0123456789abcdef");
  EXPECT_EQ(costs()["costs_modelled"], first["costs_modelled"]);
  EXPECT_TRUE(fs::is_directory(versions[0]));
}

// A convolution with a bias and the activation behind it, as most exporters write them.
class Activations : public OpkitTest {};

TEST_F(Activations, TakePartInTheConvolutionWithItsBias) {
  if (!take_shipped({"Conv", "Relu", "LeakyRelu", "ConvActivation", "ConvLeakyRelu"}))
    GTEST_SKIP() << "no packages: run `make ops` first";
  const std::pair<std::string, std::string> both[] = {{"Relu", "ConvActivation"},
                                                      {"LeakyRelu", "ConvLeakyRelu"}};
  for (const auto& [activation, fused] : both) {
    OnnxWriter model;
    model.input("x", {1, 64, 28, 28});
    model.constant("w", {64, 64, 1, 1}, std::vector<float>(64 * 64, 0.01f));
    model.constant("b", {64}, std::vector<float>(64, 0.5f));
    model.node("Conv", {"x", "w", "b"}, "conv", "pads", {0, 0, 0, 0});
    model.node(activation, {"conv"}, "y");
    model.output("y", {1, 64, 28, 28});
    write("m.onnx", model.model());
    const Shown made = opkit({"atc", "--model=m.onnx", "--framework=5", "--output=m", "--opp",
                              "opp", "--soc_version=Ascend910B1", "--explain"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    EXPECT_THAT(made.out, AllOf(HasSubstr("conv_node (Conv): " + fused + " (2 nodes"),
                                HasSubstr("y_node (" + activation + "): " + fused + " (2 nodes")));
  }
}

// The shipped AddRelu and one of the same contract whose work depends on what it reads, so that the
// model of time can say nothing of it.
class UnknownTimes : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    if (!take_shipped({"Add", "Relu", "AddRelu"}))
      GTEST_SKIP() << "no packages: run `make ops` first";
    install_blind();
    OnnxWriter model;
    model.input("x", {64, 1024});
    model.input("y", {64, 1024});
    model.node("Add", {"x", "y"}, "sum");
    model.node("Relu", {"sum"}, "relu");
    model.output("relu", {64, 1024});
    write("m.onnx", model.model());
  }

  void install_blind() {
    fs::create_directories(path("ops/fused"));
    for (const char* part : {"shared", "fused/add_relu"})
      fs::copy(fs::path(OPKIT_SOURCE_DIR) / "ops" / part, path("ops") / part,
               fs::copy_options::recursive);
    const std::string op = "ops/fused/add_relu/";
    edit(op + "op_contract.yaml", "op: AddRelu\n", "op: BlindAddRelu\n");
    edit(op + "op_host/add_relu.cpp", "AddRelu", "BlindAddRelu");
    edit(op + "op_kernel/add_relu.cpp", "  op.Run(AddReluFormula{}, z, x, y);",
         "  op.Run(AddReluFormula{}, z, x, y);\n  GlobalTensor<int16_t> first;\n"
         "  first.SetGlobalBuffer((__gm__ int16_t*)x, 1);\n"
         "  if (first.GetValue(0) != 0) op.Run(AddReluFormula{}, z, x, y);");
    const Shown built = opkit({"build", "ops/fused/add_relu", "--column", "float32"});
    ASSERT_EQ(built.exit_code, 0) << built.err;
    ASSERT_EQ(opkit({"install", "ops/fused/add_relu", "--opp", "opp"}).exit_code, 0);
  }

  // Who takes the sum; its costs.
  nlohmann::json compiled() {
    return opkit_json({"atc", "--model=m.onnx", "--framework=5", "--output=m",
                       "--soc_version=Ascend910B1", "--opp", "opp", "--explain"});
  }
  void remove(const std::string& op) { fs::remove_all(path("opp") / kPackages / op); }

  static constexpr const char* kPackages = "vendors/opkit/op_pkg";
};

TEST_F(UnknownTimes, CountAsThoseOfASlowKernel) {
  const auto both = compiled();
  const auto& sum = both["explain"][0];
  EXPECT_EQ(sum["taken"]["by"], "AddRelu") << sum;
  EXPECT_EQ(both["kernels_assumed"], 0);
  // Two modelled kernels are better than one of which nothing is known.
  remove("AddRelu");
  const auto apart = compiled();
  EXPECT_EQ(apart["explain"][0]["taken"]["by"], "Add") << apart["explain"];
  // It is still better than the host, and the report says what is known of it.
  remove("Add");
  const auto alone = compiled();
  const auto& taken = alone["explain"][0]["taken"];
  EXPECT_EQ(taken["by"], "BlindAddRelu") << alone["explain"];
  EXPECT_EQ(taken["cost"], "assumed");
  EXPECT_GT(taken["ns"], apart["kernel_ns"]);
  EXPECT_EQ(alone["kernels_assumed"], 1);
  EXPECT_THAT(taken["not_modelled"].get<std::string>(), HasSubstr("OPK-"));
  const std::string text = opkit({"atc", "--model=m.onnx", "--framework=5", "--output=m",
                                  "--soc_version=Ascend910B1", "--opp", "opp", "--explain"})
                               .out;
  EXPECT_THAT(text,
              AllOf(HasSubstr("BlindAddRelu (2 nodes, "), HasSubstr("us, assumed because of "),
                    HasSubstr("the time of 1 kernel cannot be modelled")));
}

}  // namespace
}  // namespace opkit::e2e
