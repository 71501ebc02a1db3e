// Graphs written as ONNX files: read back they compute the same, and regions are local functions.
#include "opkit/rewrite/onnx/export_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "opkit/graph/bodies.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/infer.h"
#include "opkit/rewrite/onnx/import.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::onnx_frontend {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

graph::Graph parsed(const std::string& text) {
  auto graph = graph::parse_text(text);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  EXPECT_TRUE(reference::infer(*graph).ok());
  return std::move(graph).value();
}

onnx::ModelProto exported(const graph::Graph& graph, const std::vector<FusedRegion>& regions) {
  const auto bytes = onnx_file(graph, regions);
  EXPECT_TRUE(bytes.ok()) << bytes.error().to_string();
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(*bytes));
  return model;
}

const std::string kNet =
    "graph \"net\" opset 20\ninput x: float32[2, 3]\nconst w: float32[3, 4] = all 0.5\n"
    "const b: float32[4] = 1, 2, 3, 4\nm = MatMul(x, w) @\"product\"\na = Add(m, b) @\"sum\"\n"
    "h = Cast(a) {to=\"float16\"}\nr = Relu(h) @\"act\"\ny = Cast(r) {to=\"float32\"}\n"
    "t = Transpose(y) {perm=[1, 0]}\noutput y\noutput t\n";

TEST(ExportGraph, ComputesTheSameWhenItIsReadBack) {
  const graph::Graph graph = parsed(kNet);
  const auto bytes = onnx_file(graph, {});
  ASSERT_TRUE(bytes.ok()) << bytes.error().to_string();
  const auto again = import_model(*bytes);
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_EQ(again->inputs, graph.inputs);
  EXPECT_EQ(again->outputs, graph.outputs);
  const graph::RefTensor x{DType::kFloat32, {2, 3}, {1, -2, 3, 0.5, -8, 1}};
  const auto before = reference::evaluate(graph, {{"x", x}});
  const auto after = reference::evaluate(*again, {{"x", x}});
  ASSERT_TRUE(before.ok() && after.ok());
  EXPECT_EQ(before->at("y").values, after->at("y").values);
  EXPECT_EQ(before->at("t").values, after->at("t").values);
}

TEST(ExportGraph, MakesLocalFunctionsOfRegions) {
  const graph::Graph graph = parsed(kNet);
  const onnx::ModelProto model =
      exported(graph, {{"MatMulAdd", {0, 1}, {{"us", 1.5}, {"cost", std::string("exact")}}},
                       {"Relu", {3}, {{"us", 0.25}}}});
  ASSERT_EQ(model.functions_size(), 1);
  const onnx::FunctionProto& function = model.functions(0);
  EXPECT_EQ(function.name(), "MatMulAdd_1");
  EXPECT_EQ(function.domain(), "opkit");
  EXPECT_THAT(function.input(), ElementsAre("x", "w", "b"));
  EXPECT_THAT(function.output(), ElementsAre("a"));
  EXPECT_THAT(function.attribute(), ElementsAre("cost", "us"));
  ASSERT_EQ(function.node_size(), 2);
  EXPECT_EQ(function.node(1).op_type(), "Add");
  const auto& nodes = model.graph().node();
  ASSERT_EQ(nodes.size(), 5);
  EXPECT_EQ(nodes[0].op_type(), "MatMulAdd_1");
  EXPECT_EQ(nodes[0].domain(), "opkit");
  EXPECT_EQ(nodes[0].attribute(1).f(), 1.5f);
  EXPECT_EQ(nodes[1].attribute(0).i(), onnx::TensorProto::FLOAT16);
  EXPECT_EQ(nodes[2].doc_string(), "Relu; us: 0.25");
  EXPECT_EQ(model.graph().value_info(0).type().tensor_type().shape().dim(1).dim_value(), 4);
}

// Bodies read what is around them by its name.
TEST(ExportGraph, WritesBodies) {
  graph::Graph graph;
  graph.name = "branches";
  graph.add_input("x", DType::kFloat32, {2});
  graph.add_input("c", DType::kBool, Shape{});
  graph::Node node{"If", {"c", "x"}, {"y"}, {{graph::kCaptured, int64_t{1}}}};
  for (const char* op : {"Relu", "Neg"}) {
    graph::Graph body;
    body.name = op;
    body.add_input("inner", DType::kFloat32, {2});
    body.nodes.push_back({op, {"inner"}, {"z"}, {}});
    body.outputs = {"z"};
    graph::set_body(node, op == std::string("Relu") ? "then_branch" : "else_branch", body);
  }
  graph.nodes.push_back(node);
  graph.outputs = {"y"};
  ASSERT_TRUE(reference::infer(graph).ok());
  const auto bytes = onnx_file(graph, {});
  ASSERT_TRUE(bytes.ok()) << bytes.error().to_string();
  const auto again = import_model(*bytes);
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  const graph::RefTensor x{DType::kFloat32, {2}, {1, -2}};
  for (const double taken : {0.0, 1.0}) {
    const reference::NamedTensors inputs = {{"x", x}, {"c", {DType::kBool, Shape{}, {taken}}}};
    const auto y = reference::evaluate(*again, inputs);
    ASSERT_TRUE(y.ok()) << y.error().to_string();
    EXPECT_EQ(y->at("y").values,
              taken == 1 ? (std::vector<double>{1, 0}) : (std::vector<double>{-1, 2}));
  }
}

}  // namespace
}  // namespace opkit::onnx_frontend
