#include "opkit/fusion/author/region.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/reference/infer.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::author {
namespace {

using testing::HasSubstr;

constexpr const char* kModel = R"(graph "m" opset 20
input a: float32[4, 8]
input b: float32[8]
input n: int32[4, 8]
const half: float32[] = 0.5
const row: float32[1, 8] = all 3
gate = Sigmoid(a) @"gate"
swish = Mul(gate, a) @"swish"
moved = Add(swish, b) @"moved"
scaled = Mul(half, moved) @"scaled"
both = Mul(scaled, row) @"both"
sums = ReduceSum(both) {keepdims=0} @"sums"
same = Equal(a, a) @"same"
counts = Abs(n) @"counts"
output both
output sums
output same
output counts
output moved
)";

graph::Graph model() {
  auto graph = graph::parse_text(kModel);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  const Status inferred = reference::infer(*graph);
  EXPECT_TRUE(inferred.ok()) << inferred.error().to_string();
  return *graph;
}

Result<ElementwiseRegion> region(const std::vector<std::string>& names) {
  const graph::Graph graph = model();
  OPKIT_TRY(const std::vector<size_t> nodes, find_nodes(graph, names));
  return region_of(graph, nodes);
}

std::string refusal(const std::vector<std::string>& names) {
  const auto made = region(names);
  return made.ok() ? "" : made.error().to_string();
}

TEST(ElementwiseRegion, NodesBecomeStepsWithNamesOfTheirOwn) {
  const auto made = region({"swish", "gate", "moved"});
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  ASSERT_EQ(made->inputs.size(), 2u);
  EXPECT_EQ(made->inputs[0].name, "x1");
  EXPECT_EQ(made->inputs[0].value, "a");
  EXPECT_EQ(made->inputs[1].shape, Shape({8}));
  ASSERT_EQ(made->steps.size(), 3u);
  EXPECT_EQ(made->steps[0].op_type, "Sigmoid");
  EXPECT_EQ(made->steps[1].operands[0].tensor, made->steps[0].result);
  EXPECT_EQ(made->steps[2].result, "y");
  EXPECT_EQ(made->shape, Shape({4, 8}));
}

TEST(ElementwiseRegion, ConstantsOfOneElementAreNumbersOthersInputs) {
  const auto made = region({"scaled", "both"});
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  ASSERT_EQ(made->inputs.size(), 2u);
  EXPECT_EQ(made->inputs[1].value, "row");
  EXPECT_EQ(made->steps[0].operands[0].tensor, "");
  EXPECT_EQ(made->steps[0].operands[0].number, 0.5);
}

TEST(ElementwiseRegion, OneInputIsCalledX) {
  const auto made = region({"gate", "swish"});
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  EXPECT_EQ(made->inputs[0].name, "x");
  EXPECT_EQ(made->steps[1].operands[1].tensor, "x");
}

TEST(ElementwiseRegion, WhatIsNoElementwiseOpOfOneResultIsRefused) {
  EXPECT_THAT(refusal({"swich"}), testing::AllOf(HasSubstr("OPK-AUTHOR-001"), HasSubstr("swish")));
  EXPECT_THAT(refusal({"both", "sums"}), HasSubstr("OPK-AUTHOR-003"));
  EXPECT_THAT(refusal({"sums"}),
              testing::AllOf(HasSubstr("OPK-AUTHOR-002"), HasSubstr("ReduceSum")));
  EXPECT_THAT(refusal({"moved", "scaled"}),
              testing::AllOf(HasSubstr("OPK-AUTHOR-003"), HasSubstr("2 results")));
  EXPECT_THAT(refusal({}), HasSubstr("OPK-AUTHOR-003"));
  EXPECT_THAT(refusal({"same"}), testing::AllOf(HasSubstr("OPK-AUTHOR-004"), HasSubstr("bool")));
  EXPECT_THAT(refusal({"counts"}), testing::AllOf(HasSubstr("OPK-AUTHOR-004"), HasSubstr("int32")));
}

TEST(ElementwiseRegion, MoreInputsThanKernelsTakeAreRefused) {
  std::string text = "graph \"m\" opset 20\n";
  for (int i = 0; i < 8; ++i) text += "input i" + std::to_string(i) + ": float32[4]\n";
  text += "s1 = Add(i0, i1)\n";
  for (int i = 2; i < 8; ++i)
    text += "s" + std::to_string(i) + " = Add(s" + std::to_string(i - 1) + ", i" +
            std::to_string(i) + ")\n";
  auto graph = graph::parse_text(text + "output s7\n");
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  ASSERT_TRUE(reference::infer(*graph).ok());
  const auto made = region_of(*graph, {0, 1, 2, 3, 4, 5, 6});
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().to_string(),
              testing::AllOf(HasSubstr("OPK-AUTHOR-005"), HasSubstr("8 inputs")));
}

}  // namespace
}  // namespace opkit::author
