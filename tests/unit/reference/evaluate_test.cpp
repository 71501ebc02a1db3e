#include "opkit/reference/evaluate.h"

#include <cmath>

#include "opkit/reference/operators.h"
#include "tests/graph_text/parse_text.h"
#include "tests/unit/reference/build.h"

namespace opkit::reference {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Graph linear_relu() {
  Graph graph;
  graph.nodes = {{"MatMul", {"x", "w"}, {"t0"}, {}, ""},
                 {"Add", {"t0", "bias"}, {"t1"}, {}, ""},
                 {"Relu", {"t1"}, {"y"}, {}, ""}};
  graph.inputs = {"x", "w", "bias"};
  graph.outputs = {"y"};
  return graph;
}

NamedTensors operands() {
  return {{"x", tensor(Shape{1, 2}, {1, 2})},
          {"w", tensor(Shape{2, 2}, {1, -3, 2, 1})},
          {"bias", list({10, -20})}};
}

TEST(Evaluate, RunsAGraph) {
  const auto result = evaluate(linear_relu(), operands());
  ASSERT_TRUE(result.ok()) << result.error().to_string();
  EXPECT_THAT(result->at("y").values, ElementsAre(15, 0));
  EXPECT_EQ(result->size(), 1u);
}

TEST(Evaluate, PrecisionDecidesWhatLiesBetweenNodes) {
  Graph graph;
  graph.nodes = {{"Add", {"a", "b"}, {"t"}, {}, ""}, {"Sub", {"t", "a"}, {"y"}, {}, ""}};
  graph.inputs = {"a", "b"};
  graph.outputs = {"y"};
  const NamedTensors inputs = {{"a", list({2048}, DType::kFloat16)},
                               {"b", list({1}, DType::kFloat16)}};
  EXPECT_EQ(evaluate(graph, inputs)->at("y")[0], 1);
  EXPECT_EQ(evaluate(graph, inputs, {Precision::kRounded})->at("y")[0], 0);
}

// Nodes without inputs are evaluated where somebody reads them, and at last those that nobody
// reads.
TEST(Evaluate, TakesConstantsWhereTheyAreRead) {
  const std::string text =
      "input x: float32[2]\nconst s: int64[1] = 2\n"
      "a = ConstantOfShape(s) {value=tensor float32[1] (3)}\nb = Add(a, a)\nc = Neg(b)\n"
      "y = Mul(x, a)\nz = Add(y, c)\noutput z\noutput b\n";
  const auto graph = graph::parse_text(text);
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  const auto values = evaluate(*graph, {{"x", {DType::kFloat32, Shape{2}, {1, 5}}}});
  ASSERT_TRUE(values.ok()) << values.error().to_string();
  EXPECT_EQ(values->at("z").values, (std::vector<double>{-3, 9}));
  EXPECT_EQ(values->at("b").values, (std::vector<double>{6, 6}));
  auto wrong = *graph;
  wrong.nodes.insert(wrong.nodes.begin() + 2,
                     {"Concat", {"s", "b"}, {"unread"}, {{"axis", int64_t{0}}}});
  EXPECT_FALSE(evaluate(wrong, {{"x", {DType::kFloat32, Shape{2}, {1, 5}}}}).ok());
}

TEST(Evaluate, RefusesUndefinedAndDoubledNames) {
  Graph graph = linear_relu();
  std::swap(graph.nodes[0], graph.nodes[1]);
  auto result = evaluate(graph, operands());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "OPK-GRAPH-001");
  EXPECT_THAT(result.error().message, HasSubstr("'t0' is defined by no earlier node"));

  graph = linear_relu();
  graph.nodes[1].outputs = {"x"};
  EXPECT_THAT(evaluate(graph, operands()).error().message, HasSubstr("'x' is defined twice"));

  graph = linear_relu();
  graph.outputs = {"z"};
  EXPECT_THAT(evaluate(graph, operands()).error().message, HasSubstr("graph output 'z'"));

  NamedTensors fewer = operands();
  fewer.erase("bias");
  EXPECT_THAT(evaluate(linear_relu(), fewer).error().message, HasSubstr("'bias' is not given"));
  graph = linear_relu();
  graph.values["x"] = {DType::kFloat32, Shape{1, 3}, Format::kND, nullptr};
  EXPECT_THAT(evaluate(graph, operands()).error().message,
              HasSubstr("'x' is float32[1, 2], not float32[1, 3]"));
}

// Kernels of Tanh cancel near 0, those of Exp nowhere.
TEST(Evaluate, NoiseIsWhatFunctionsKnow) {
  const auto moved = [](const std::string& op, double x) {
    const auto graph = graph::parse_text("input x: float32[1]\ny = " + op + "(x)\noutput y\n");
    EXPECT_TRUE(graph.ok());
    const NamedTensors inputs = {{"x", {DType::kFloat32, Shape{1}, {x}}}};
    const auto still = evaluate(*graph, inputs),
               noisy = evaluate(*graph, inputs, {Precision::kDouble, 1e-3, 0});
    EXPECT_TRUE(still.ok() && noisy.ok());
    return std::abs(noisy->at("y")[0] - still->at("y")[0]);
  };
  EXPECT_GT(moved("Tanh", 1e-9), 1e-7);
  EXPECT_LT(moved("Tanh", 1e-9), 1.1e-3);
  EXPECT_LT(moved("Sigmoid", -20), 1.1e-3 * 2.1e-9);
  EXPECT_EQ(moved("Relu", -1), 0);
}

TEST(EvaluateNode, UnknownOperatorSuggestsANeighbour) {
  const auto result = apply("Sofmax", {list({1})});
  expect_error(result, "OPK-REF-001", "no operator 'Sofmax'");
  EXPECT_EQ(result.error().action, "did you mean 'Softmax'?");
}

TEST(EvaluateNode, WrongArity) {
  const auto one = apply("Add", {list({1})});
  expect_error(one, "OPK-REF-002", "1 inputs, the first 1 of 2 present; 2 to 2 expected");
  EXPECT_EQ(one.error().op, "Add");
  EXPECT_THAT(one.error().trail, ElementsAre("node n"));
  expect_error(apply("Relu", {list({1}), list({1})}), "OPK-REF-002", "2 inputs");
  expect_error(apply("Relu", {list({1})}, {}, 2), "OPK-REF-002", "2 outputs; 1 to 1 expected");
  expect_error(apply("BatchNormalization",
                     {tensor(Shape{1, 1}, {1}), list({1}), list({1}), list({1}), list({1})}, {}, 3),
               "OPK-REF-002", "3 outputs wanted");
}

TEST(EvaluateNode, AbsentOptionalInputs) {
  const RefTensor x = list({-5, 0, 5}), high = tensor(Shape{}, {2});
  const Node node{"Clip", {"x", "", "high"}, {"y"}, {}, ""};
  const auto result = evaluate_node(node, {&x, nullptr, &high});
  ASSERT_TRUE(result.ok());
  EXPECT_THAT((*result)[0].values, ElementsAre(-5, 0, 2));
}

TEST(EvaluateNode, Attributes) {
  expect_error(apply("Cast", {list({1})}), "OPK-REF-003", "attribute 'to' is missing");
  const auto unknown = apply("LeakyRelu", {list({1})}, {{"alfa", 0.1}});
  expect_error(unknown, "OPK-REF-004", "no attribute 'alfa'");
  EXPECT_EQ(unknown.error().action, "did you mean 'alpha'?");
  expect_error(apply("Relu", {list({1})}, {{"alpha", 0.1}}), "OPK-REF-004", "no attribute 'alpha'");
  expect_error(apply("LeakyRelu", {list({1})}, {{"alpha", std::string("x")}}), "OPK-REF-005",
               "'alpha' must be a number");
  expect_error(apply("Softmax", {list({1})}, {{"axis", int64_t{1}}}), "OPK-REF-005",
               "axis 1 of a tensor of rank 1");
  // An attribute of old versions only.
  expect_error(apply("Add", {list({1}), list({1})}, {{"broadcast", int64_t{1}}}), "OPK-REF-004",
               "no attribute 'broadcast'");
}

TEST(EvaluateNode, ShapesAndDtypes) {
  expect_error(apply("Add", {list({1, 2}), list({1, 2, 3})}), "OPK-REF-006",
               "shapes [2] and [3] do not broadcast");
  expect_error(apply("Add", {list({1}), list({1}, DType::kInt32)}), "OPK-REF-007",
               "input 1 is int32, input 0 is float32");
  expect_error(apply("Exp", {list({1}, DType::kInt32)}), "OPK-REF-007", "not a float type");
  expect_error(apply("MatMul", {tensor(Shape{2, 3}, std::vector<double>(6)),
                                tensor(Shape{2, 3}, std::vector<double>(6))}),
               "OPK-REF-006", "[2, 3] and [2, 3] have no matrix product");
  expect_error(apply("Relu", {tensor(Shape{3}, {1})}), "OPK-REF-006", "shape [3] but 1 values");
}

TEST(EvaluateNode, RefusalsOfValues) {
  const double big = 9007199254740992.0;
  expect_error(apply("Add", {list({big}, DType::kInt64), list({1}, DType::kInt64)}), "OPK-REF-008",
               "beyond 2^53");
  expect_error(apply("Gather", {list({1, 2}), list({2}, DType::kInt64)}), "OPK-REF-010",
               "index 2 on an axis of 2");
  expect_error(apply("BatchNormalization",
                     {tensor(Shape{1, 1}, {1}), list({1}), list({1}), list({1}), list({1})},
                     {{"spatial", int64_t{0}}}, 1, 8),
               "OPK-REF-011", "spatial = 0");
  expect_error(apply("Div", {list({1}, DType::kInt32), list({0}, DType::kInt32)}), "OPK-REF-012",
               "division by zero");
  expect_error(apply("ConstantOfShape", {list({1 << 20, 1 << 20}, DType::kInt64)}), "OPK-REF-013",
               "more than");
}

TEST(OperatorNames, AreSortedAndUnique) {
  const std::vector<std::string> names = operator_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  EXPECT_GT(names.size(), 120u);
}

}  // namespace
}  // namespace opkit::reference
