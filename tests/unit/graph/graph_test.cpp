#include "opkit/graph/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/graph_text/parse_text.h"

namespace opkit::graph {
namespace {

using ::testing::HasSubstr;

constexpr const char* kModel = R"(graph "a \"b\"" opset 13
input x: float32[2, 3]:NCHW
input "conv1/in:0": float16[...]
const "1": float32[] = 2.5
const k: int64[2] = 3, -4
const w: float32[2, 2] = all 0.1
t: float32[2, 3] = Add(x, "1") @"first node"
y, _ = MaxPool(t) {auto_pad="VALID", kernel_shape=[2, 2], scale=1.0, ratios=[0.5, 2.0], names=["a", "b"], _=1, "_"=2, value=tensor float16[2] (1, 2), none=ints[]}
z = Clip(t, _, "1")
output y
output z
)";

Graph parsed(const std::string& text) {
  auto graph = parse_text(text, "g");
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  return graph.ok() ? std::move(graph).value() : Graph();
}

TEST(Text, PrintsWhatItParses) {
  const Graph graph = parsed(kModel);
  EXPECT_EQ(graph.name, "a \"b\"");
  EXPECT_EQ(graph.opset, 13);
  EXPECT_EQ(graph.inputs, (std::vector<std::string>{"x", "conv1/in:0"}));
  EXPECT_EQ(graph.values.at("x").format, Format::kNCHW);
  EXPECT_FALSE(graph.values.at("conv1/in:0").shape.has_value());
  EXPECT_EQ((*graph.constant("1"))[0], 2.5);
  EXPECT_EQ((*graph.constant("w"))[3], 0.1);
  ASSERT_EQ(graph.nodes.size(), 3u);
  EXPECT_EQ(graph.nodes[0].name, "first node");
  EXPECT_EQ(graph.nodes[1].outputs, (std::vector<std::string>{"y", ""}));
  EXPECT_EQ(std::get<double>(graph.nodes[1].attributes.at("scale")), 1.0);
  EXPECT_EQ(std::get<RefTensor>(graph.nodes[1].attributes.at("value")).dtype, DType::kFloat16);
  EXPECT_TRUE(std::get<std::vector<int64_t>>(graph.nodes[1].attributes.at("none")).empty());
  EXPECT_EQ(graph.nodes[2].inputs, (std::vector<std::string>{"t", "", "1"}));
  const std::string once = to_text(graph);
  EXPECT_EQ(to_text(parsed(once)), once);
}

TEST(Text, KeepsEveryNumberAndName) {
  Graph graph;
  graph.add_input("graph", DType::kFloat32, Shape{1});
  graph.add_constant("c", {DType::kFloat64, Shape{5}, {0.1, -0.0, 1e-320, -INFINITY, 1.0 / 3}});
  graph.add_constant("empty", {DType::kInt8, Shape{0, 2}, {}});
  graph.nodes.push_back({"Odd Op", {"graph", "c"}, {"a\n\"\\b"}, {}, "n"});
  graph.outputs = {"a\n\"\\b"};
  const std::string text = to_text(graph);
  const Graph again = parsed(text);
  EXPECT_EQ(to_text(again), text);
  EXPECT_EQ(again.constant("c")->values, graph.constant("c")->values);
  EXPECT_TRUE(std::signbit((*again.constant("c"))[1]));
  EXPECT_EQ(again.outputs, graph.outputs);
}

TEST(Text, PointsToWhatIsWrong) {
  const auto error = [](const std::string& text) {
    const auto graph = parse_text(text, "g");
    EXPECT_FALSE(graph.ok()) << text;
    return graph.ok() ? std::string() : graph.error().to_string();
  };
  EXPECT_THAT(error("graph \"g\" opset 0"), HasSubstr("TEXT: an opset lies between"));
  EXPECT_THAT(error("input x: float33[1]"), HasSubstr("'float33' is no dtype"));
  EXPECT_THAT(error("\n  y = Add(x"), HasSubstr("g:2:"));
  EXPECT_THAT(error("y = Add(x"), HasSubstr("')' is missing"));
  EXPECT_THAT(error("y Add(x)"), HasSubstr("'=' is missing"));
  EXPECT_THAT(error("const c: int64[3] = 1, 2"), HasSubstr("',' is missing"));
  EXPECT_THAT(error("const c: float32[4611686018427387904] = all 1"), HasSubstr("too large"));
  EXPECT_THAT(error("y = A(x) {a=[1, \"b\"]}"), HasSubstr("texts and numbers"));
  EXPECT_THAT(error("y = A(x) {a=1, a=2}"), HasSubstr("given twice"));
  EXPECT_THAT(error("y = A(\"x"), HasSubstr("does not end"));
  EXPECT_THAT(error("y = A(\"\\q\")"), HasSubstr("backslash"));
  EXPECT_THAT(error("y = A(x) {a=99999999999999999999}"), HasSubstr("no integer"));
}

TEST(SortNodes, PutsEveryNodeBehindItsSources) {
  Graph graph = parsed("input x: float32[1]\nc = Add(a, b)\na = Relu(x)\nd = Abs(x)\nb = Neg(a)\n");
  ASSERT_TRUE(sort_nodes(graph).ok());
  std::string order;
  for (const Node& node : graph.nodes) order += node.outputs[0];
  EXPECT_EQ(order, "adbc");  // those that do not depend on each other keep their order
  EXPECT_TRUE(validate(graph).ok());
}

TEST(SortNodes, RefusesCycles) {
  Graph graph = parsed("a = Relu(b)\nb = Neg(a)\n");
  const Status sorted = sort_nodes(graph);
  ASSERT_FALSE(sorted.ok());
  EXPECT_EQ(sorted.error().code, "OPK-GRAPH-003");
  EXPECT_THAT(sorted.error().message, HasSubstr("Relu, Neg"));
}

TEST(Validate, NamesAreDefinedOnceAndBeforeTheyAreRead) {
  const auto code = [](const std::string& text) {
    const Status valid = validate(parsed(text));
    return valid.ok() ? std::string("fine") : valid.error().code;
  };
  EXPECT_EQ(code("input x: float32[1]\ny = Relu(x)\noutput y"), "fine");
  EXPECT_EQ(code("y = Relu(x)"), "OPK-GRAPH-001");
  EXPECT_EQ(code("input x: float32[1]\noutput z"), "OPK-GRAPH-001");
  EXPECT_EQ(code("input x: float32[1]\nx = Relu(x)"), "OPK-GRAPH-002");
  EXPECT_EQ(code("input x: float32[1]\ninput x: float32[1]"), "OPK-GRAPH-002");
  EXPECT_EQ(code("input x: float32[1]\nconst x: float32[] = 1"), "OPK-GRAPH-002");
  Graph wrong;
  wrong.values["c"] = {
      DType::kFloat32, Shape{2}, Format::kND,
      std::make_shared<const RefTensor>(RefTensor{DType::kFloat32, Shape{2}, {1}})};
  EXPECT_EQ(validate(wrong).error().code, "OPK-GRAPH-001");
}

}  // namespace
}  // namespace opkit::graph
