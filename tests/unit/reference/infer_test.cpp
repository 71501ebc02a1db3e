#include "opkit/reference/infer.h"

#include "tests/graph_text/parse_text.h"
#include "tests/unit/reference/build.h"

namespace opkit::reference {
namespace {

using ::testing::HasSubstr;

// The facts of the graph's last value, as the text form writes them.
std::string inferred(const std::string& text) {
  auto graph = graph::parse_text(text);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  const Status done = infer(*graph);
  if (!done.ok()) return done.error().code + ": " + done.error().message;
  const graph::ValueInfo& value = graph->values.at(graph->nodes.back().outputs[0]);
  return std::string(name_of(value.dtype)) + (value.shape ? value.shape->to_string() : "[...]");
}

TEST(Infer, ShapesAndDtypes) {
  const std::string x = "input x: float32[2, 3, 8, 8]\n",
                    w = "const w: float32[4, 3, 3, 3] = all 1\n";
  EXPECT_EQ(inferred(x + w + "y = Conv(x, w) {strides=[2, 2], pads=[1, 1, 1, 1]}"),
            "float32[2, 4, 4, 4]");
  EXPECT_EQ(inferred(x + "y = ReduceMean(x) {axes=[2, 3], keepdims=0}"), "float32[2, 3]");
  EXPECT_EQ(inferred(x + "y = Flatten(x)"), "float32[2, 192]");
  EXPECT_EQ(inferred(x + "y = Equal(x, x)"), "bool[2, 3, 8, 8]");
  EXPECT_EQ(inferred(x + "y = ArgMax(x) {axis=1}"), "int64[2, 1, 8, 8]");
}

TEST(Infer, FollowsShapesThroughSmallConstants) {
  // How frameworks write a flatten: Shape, Gather, Unsqueeze, Concat, Reshape.
  EXPECT_EQ(inferred("input x: float32[2, 3, 8, 8]\nconst zero: int64[] = 0\n"
                     "const rest: int64[1] = -1\ns = Shape(x)\nb = Gather(s, zero)\n"
                     "u = Unsqueeze(b) {axes=[0]}\nshape = Concat(u, rest) {axis=0}\n"
                     "y = Reshape(x, shape)"),
            "float32[2, 192]");
}

TEST(InferNew, AddsWhatIsNotKnown) {
  auto graph = graph::parse_text(
      "input x: float32[2, 12]\nconst rest: int64[1] = -1\na = Relu(x)\ns = Shape(a)\n"
      "const zero: int64[1] = 0\nb = Gather(s, zero)\nt = Concat(b, rest) {axis=0}\n"
      "y = Reshape(a, t)\n");
  ASSERT_TRUE(graph.ok());
  ASSERT_TRUE(infer(*graph).ok());
  // What is known stays; a new node asks for elements of shapes that were known before.
  graph->nodes.push_back({"Reshape", {"y", "t"}, {"z"}, {}});
  ASSERT_TRUE(infer_new(*graph).ok());
  EXPECT_EQ(graph->values.at("z").shape, (Shape{2, 12}));
  graph->values.at("a").shape.reset();
  ASSERT_TRUE(infer_new(*graph).ok());
  EXPECT_EQ(graph->values.at("a").shape, (Shape{2, 12}));
  graph->nodes.push_back({"Sqrt", {"s"}, {"w"}, {}});
  EXPECT_EQ(infer_new(*graph).error().code, "OPK-REF-007");
}

TEST(Infer, WhatDependsOnValuesIsNotKnown) {
  EXPECT_EQ(inferred("input x: float32[4]\ny = NonZero(x)"), "int64[...]");
  EXPECT_EQ(inferred("input x: float32[4]\ninput s: int64[2]\ny = Reshape(x, s)"), "float32[...]");
  // Behind it the dtype is still known and checked.
  EXPECT_EQ(inferred("input x: float32[4]\nn = NonZero(x)\ny = Cast(n) {to=\"float16\"}"),
            "float16[...]");
  EXPECT_THAT(inferred("input x: float32[4]\nn = NonZero(x)\ny = Sqrt(n)"),
              HasSubstr("OPK-REF-007"));
}

TEST(Infer, RefusesWhatEvaluationWouldRefuse) {
  EXPECT_THAT(inferred("input x: float32[4]\ny = Relu(x, x)"), HasSubstr("OPK-REF-002"));
  EXPECT_THAT(inferred("input x: float32[4]\ny = Relu(x) {alpha=1}"), HasSubstr("OPK-REF-004"));
  EXPECT_THAT(inferred("input x: float32[4]\ninput y: float16[4]\nz = Add(x, y)"),
              HasSubstr("OPK-REF-007"));
  EXPECT_THAT(inferred("input x: float32[2, 3]\ny = MatMul(x, x)"), HasSubstr("OPK-REF-006"));
}

TEST(Infer, PlacesItsErrors) {
  auto graph = graph::parse_text("input x: float32[4]\ny = Relu(x, x) @\"act\"");
  graph->nodes[0].where = {"model", 7, 3};
  const Status done = infer(*graph);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().where.line, 7);
  EXPECT_THAT(done.error().to_string(), HasSubstr("in node act"));
}

}  // namespace
}  // namespace opkit::reference
