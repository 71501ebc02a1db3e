// Compilations without any plugin: everything runs on the host, so that steps, places and memory
// are judged by the interpreter alone. With plugins: tests/models.
#include "opkit/atc/compile/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "opkit/atc/compile/input_shapes.h"
#include "opkit/atc/compile/report.h"
#include "opkit/atc/compile/switches.h"
#include "opkit/atc/memory/check.h"
#include "opkit/atc/memory/plan.h"
#include "opkit/base/json.h"
#include "opkit/model/file/om_file.h"
#include "opkit/model/file/validate.h"
#include "opkit/reference/evaluate.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::compile {
namespace {

using ::testing::HasSubstr;

InstalledOps no_ops() {
  const auto folder = std::filesystem::path(testing::TempDir()) / "compile_opp";
  std::filesystem::create_directories(folder / "vendors");
  return InstalledOps::open(registry::Registry::open(folder), "Ascend910B1");
}

Result<Compiled> compiled(const std::string& text, bool fallback = true) {
  auto graph = graph::parse_text(text);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  Options options;
  options.candidates.soc = "Ascend910B1";
  options.candidates.fallback = fallback;
  static const InstalledOps ops = no_ops();
  return compile(std::move(*graph), ops, options);
}

const std::string kNet =
    "graph \"net\" opset 13\ninput x: float32[2, 3, 4, 4]\n"
    "const w: float32[5, 3, 3, 3] = all 0.25\nconst b: float32[5] = 1, 2, 3, 4, 5\n"
    "c = Conv(x, w, b) {pads=[1, 1, 1, 1]} @\"conv\"\nr = Relu(c)\n"
    "p = MaxPool(r) {kernel_shape=[2, 2], strides=[2, 2]}\nf = Flatten(p)\nt = Tanh(f)\n"
    "s = Add(t, f)\noutput s\noutput f\n";

TEST(Compile, GivesAModelThatFitsItself) {
  const auto made = compiled(kNet);
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  const model::OfflineModel& model = made->model();
  EXPECT_TRUE(model::validate(model).ok());
  EXPECT_TRUE(model::decode(model::encode(model)).ok());
  EXPECT_EQ(model.soc, "Ascend910B1");
  EXPECT_EQ(model.cover, "optimal");
  // Conv, Relu, MaxPool, Tanh, Add and the copy of the view that is an output.
  EXPECT_EQ(model.steps.size(), 6u);
  EXPECT_EQ(model.steps.back().kind, model::StepKind::kCopy);
  const Schedule& schedule = made->schedule;
  memory_plan::Buffers buffers = schedule.buffers;
  EXPECT_TRUE(
      memory_plan::check(buffers, schedule.memory.offsets, schedule.memory.total, 512).ok());
  // A weight of one value is kept as one element.
  EXPECT_LT(model.weights.size(), 100u);
}

TEST(Compile, SaysWhoTakesWhatAndWhy) {
  const auto made = compiled(kNet);
  ASSERT_TRUE(made.ok());
  EXPECT_THAT(explain_text(*made), HasSubstr("conv (Conv): host (1 node, no modelled cost)"));
  EXPECT_THAT(explain_text(*made), HasSubstr("(Reshape): view"));
  EXPECT_THAT(summary_text(*made),
              HasSubstr("on the host, because no plugin takes them (fallback): 1 x Add, 1 x Conv"));
  EXPECT_EQ(summary_json(*made)["host"]["Tanh"], 1);
  EXPECT_EQ(explain_json(*made).size(), made->graph.nodes.size());
  EXPECT_THAT(picture_before(*made), HasSubstr("digraph \"net\""));
  EXPECT_THAT(picture_after(*made), HasSubstr("label=\"640 B\""));
  EXPECT_TRUE(fusion_result(*made)[size_t{0}]["graph_fusion"].empty());
}

TEST(Compile, RefusesTheHostOnDemand) {
  const auto made = compiled(kNet, false);
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().to_string(),
              HasSubstr("EZ3003: Conv: no supported ops kernel and engine are found for [conv], "
                        "optype [Conv]: no installed op"));
}

TEST(Compile, WantsEveryDimOfInputs) {
  const auto made = compiled("input x: float32[...]\ny = Relu(x)\noutput y\n");
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().to_string(), HasSubstr("E10001"));
  EXPECT_THAT(made.error().to_string(), HasSubstr("--input_shape=x:"));
}

// x[2, 3] + 1 as y, which the model's file declares in another way.
Result<Compiled> declared(DType dtype, std::optional<Shape> shape) {
  auto graph = graph::parse_text(
      "input x: float32[2, 3]\nconst c: float32[] = 1\ny = Add(x, c) @\"last\"\noutput y\n");
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  graph->declared["y"] = {dtype, std::move(shape), Format::kND, nullptr};
  Options options;
  options.candidates.soc = "Ascend910B1";
  return compile(std::move(*graph), no_ops(), options);
}

TEST(Compile, RefusesAnotherTypeThanTheModelDeclares) {
  const auto made = declared(DType::kInt64, Shape{2, 3});
  ASSERT_FALSE(made.ok());
  const std::string text = made.error().to_string();
  EXPECT_THAT(text, HasSubstr("OPK-ATC-005: the model declares output 'y' as int64, and its nodes "
                              "give float32"));
  EXPECT_THAT(text, HasSubstr("in node last (Add)"));
  EXPECT_THAT(text, HasSubstr("try: correct the type of 'y' in graph.output"));
}

TEST(Compile, WarnsOfOtherDimsThanTheModelDeclares) {
  for (const Shape& shape : {Shape{2, 4}, Shape{6}, Shape{kUnknownDim, 4}}) {
    const auto made = declared(DType::kFloat32, shape);
    ASSERT_TRUE(made.ok()) << made.error().to_string();
    ASSERT_EQ(made->warnings.size(), 1u);
    EXPECT_THAT(made->warnings[0].to_string(),
                HasSubstr("warning OPK-ATC-006: the model declares output 'y' as " +
                          shape.to_string() + ", and its nodes give [2, 3]"));
    EXPECT_THAT(made->warnings[0].to_string(), HasSubstr("in node last (Add)"));
  }
  for (const auto& shape : {std::optional<Shape>(), std::optional(Shape{kUnknownDim, 3})})
    EXPECT_TRUE(declared(DType::kFloat32, shape)->warnings.empty());
  EXPECT_TRUE(declared(DType::kUndefined, Shape{2, 3}).ok());
}

TEST(Compile, RefusesDimsThatDependOnData) {
  const auto made = compiled("input x: float32[4]\ny = NonZero(x) @\"where\"\noutput y\n");
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().to_string(), HasSubstr("OPK-ATC-001: NonZero: the dims of 'y' depend"));
}

TEST(Compile, RefusesConstantsWithoutMeasure) {
  std::string text = "input x: float32[4]\nconst d: int64[2] = 16384, 8192\n";
  for (const char* name : {"a", "b", "c"})
    text += std::string(name) + " = ConstantOfShape(d)\n" + name + "e = Exp(" + name +
            ")\noutput " + name + "e\n";
  const auto made = compiled(text + "y = Neg(x)\noutput y\n");
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().to_string(), HasSubstr("OPK-ATC-002"));
}

TEST(Compile, ComputesWhateverDependsOnNoInput) {
  const auto made = compiled(
      "input x: float32[300, 300]\nconst d: int64[2] = 300, 300\nc = ConstantOfShape(d)\n"
      "e = Exp(c)\ny = Sub(x, e)\noutput y\n");
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  EXPECT_EQ(made->model().steps.size(), 1u);
  EXPECT_EQ(made->rewrites.at("compute_constants"), 2u);
}

TEST(Compile, PassesInputsAndConstantsThrough) {
  const auto made = compiled(
      "input x: float32[4]\nconst c: float32[2] = 1, 2\ny = Neg(x)\noutput x\noutput c\noutput "
      "y\n");
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  EXPECT_TRUE(model::validate(made->model()).ok());
  EXPECT_EQ(made->model().outputs.size(), 3u);
}

// --- flags ---------------------------------------------------------------------------------------

TEST(InputShapes, AreRead) {
  const auto shapes = parse_input_shapes("data:1,3,224,224;ns:mask:0:8;one:");
  ASSERT_TRUE(shapes.ok());
  EXPECT_EQ(shapes->at("data"), (Shape{1, 3, 224, 224}));
  EXPECT_EQ(shapes->at("ns:mask:0"), (Shape{8}));
  EXPECT_EQ(shapes->at("one"), Shape());
  EXPECT_TRUE(parse_input_shapes("")->empty());
}

TEST(InputShapes, RefusesOtherForms) {
  const auto refused = [](const char* text) {
    const auto shapes = parse_input_shapes(text);
    return shapes.ok() ? std::string() : shapes.error().to_string();
  };
  EXPECT_THAT(refused("1,3"), HasSubstr("E10002: input_shape [1,3] is not of the form"));
  const std::pair<const char*, const char*> kReasons[] = {
      {"x", "'x' has no colon between a name and dims"},
      {"x:1;:1,3", "':1,3' has no name"},
      {"x:1,a", "dim 2 of input 'x' is 'a'"},
      {"x:1,,3", "dim 2 of input 'x' is ''"},
      {"x:-2,3", "dim 1 of input 'x' is '-2'"},
      {"x:3~1", "dim 1 of input 'x' is '3~1'"},
      {"x:99999999999999999999", "dim 1 of input 'x'"},
      {"x:1;x:2", "input 'x' stands there twice"},
      {";;", "it names no input"}};
  for (const auto& [text, reason] : kReasons) {
    EXPECT_THAT(refused(text), HasSubstr("E10002: input_shape [" + std::string(text) + "]"));
    EXPECT_THAT(refused(text), HasSubstr("Reason: " + std::string(reason)));
    EXPECT_THAT(refused(text), HasSubstr("try: --input_shape=\"data:1,3,224,224\""));
  }
  EXPECT_THAT(refused("x:-1,3"), HasSubstr("E10001"));
  EXPECT_THAT(refused("x:1~4,3"), HasSubstr("E10001: value [x:1~4,3]"));
}

TEST(Switches, AreReadInBothForms) {
  const auto lines = parse_switches("AddRelu:off\n\n ConvRelu : on\r\n", "f");
  ASSERT_TRUE(lines.ok()) << lines.error().to_string();
  EXPECT_FALSE(lines->is_on("AddRelu", true));
  EXPECT_TRUE(lines->is_on("ConvRelu", true));
  EXPECT_TRUE(lines->is_on("Other", true));
  const auto json = parse_switches(
      R"({"Switch": {"GraphFusion": {"ALL": "off", "AddRelu": "on"}, "UBFusion": {}}})", "f");
  ASSERT_TRUE(json.ok());
  EXPECT_TRUE(json->is_on("AddRelu", true));
  EXPECT_FALSE(json->is_on("ConvRelu", true));
  EXPECT_TRUE(json->is_on("Relu", false)) << "ALL stands for ops of several nodes";
}

TEST(Switches, RefusesOtherForms) {
  const auto refused = [](const char* text) {
    const auto switches = parse_switches(text, "f.cfg");
    return switches.ok() ? std::string() : switches.error().to_string();
  };
  EXPECT_THAT(refused("AddRelu"), HasSubstr("f.cfg:1: error E10001"));
  EXPECT_THAT(refused("A:on\nB:maybe"), HasSubstr("'maybe' is neither on nor off"));
  EXPECT_THAT(refused("{\"Fusion\": 1}"), HasSubstr("no JSON object with a Switch"));
  EXPECT_THAT(refused("{\"Switch\": {\"GraphFusion\": {\"A\": 1}}}"), HasSubstr("'1' is neither"));
  EXPECT_THAT(refused("{\"Switch\": {\"GraphFusion\": 1}}"), HasSubstr("is no object"));
}

}  // namespace
}  // namespace opkit::compile
