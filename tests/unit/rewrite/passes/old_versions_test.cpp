// Nodes of every version that means something else than the one that references have: what they
// give, by hand from the ONNX operator changelog, as they are and in canonical form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "opkit/reference/evaluate.h"
#include "opkit/rewrite/passes/rewrite.h"
#include "proofs.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using Values = std::vector<double>;

struct OldNode {
  const char* name;
  int opset;
  std::string input;  // "float32[4]"
  Values x;
  std::string body;  // defines y, and m where `mask` is given
  Values y;
  Values mask = {};
};

const double kLargest = 3.4028234663852886e38;
const Values kRow = {-3, 1, 5, 9};

const OldNode kNodes[] = {
    {"Clip6_attributes", 6, "float32[4]", kRow, "y = Clip(x) {min=0.0, max=6.0}", {0, 1, 5, 6}},
    {"Clip10_one_attribute", 10, "float32[4]", kRow, "y = Clip(x) {max=4.0}", {-3, 1, 4, 4}},
    {"Clip9_of_infinity",
     9,
     "float32[2]",
     {-INFINITY, INFINITY},
     "y = Clip(x) {min=-1.0}",
     {-1, kLargest}},
    {"Clip11_operands",
     11,
     "float32[4]",
     kRow,
     "const l: float32[] = 0\ny = Clip(x, l)",
     {0, 1, 5, 9}},
    {"Clip11_of_infinity",
     11,
     "float32[1]",
     {INFINITY},
     "const l: float32[] = 0\ny = Clip(x, l)",
     {INFINITY}},
    {"Dropout9_mask_of_floats",
     9,
     "float32[2]",
     {3, 4},
     "y, m = Dropout(x) {ratio=0.5}",
     {3, 4},
     {1, 1}},
    {"Hardmax12_flattens", 12, "float32[1, 2, 2]", {1, 2, 7, 3}, "y = Hardmax(x)", {0, 0, 1, 0}},
    {"Hardmax13_last_axis", 13, "float32[1, 2, 2]", {1, 2, 7, 3}, "y = Hardmax(x)", {0, 1, 1, 0}},
    {"Softmax12_flattens",
     12,
     "float32[1, 2, 2]",
     {0, 0, 0, 0},
     "y = Softmax(x)",
     {0.25, 0.25, 0.25, 0.25}},
    {"Softmax13_last_axis",
     13,
     "float32[1, 2, 2]",
     {0, 0, 0, 0},
     "y = Softmax(x)",
     {0.5, 0.5, 0.5, 0.5}},
    {"LogSoftmax11_from_axis_0",
     11,
     "float32[2, 2]",
     {0, 0, 0, 0},
     "y = LogSoftmax(x) {axis=0}",
     {-std::log(4), -std::log(4), -std::log(4), -std::log(4)}},
    {"OneHot9_negative_is_nowhere",
     9,
     "float32[2]",
     {-1, 1},
     "const d: int64[] = 2\nconst v: float32[2] = 0, 1\ny = OneHot(x, d, v)",
     {0, 0, 0, 1}},
    {"OneHot9_negative_integer",
     9,
     "int32[2]",
     {-1, 1},
     "const d: int64[1] = 2\nconst v: float32[2] = 0, 1\ny = OneHot(x, d, v)",
     {0, 0, 0, 1}},
    {"OneHot11_negative_counts",
     11,
     "float32[2]",
     {-1, 1},
     "const d: int64[] = 2\nconst v: float32[2] = 0, 1\ny = OneHot(x, d, v)",
     {0, 1, 0, 1}},
    {"Upsample7_attribute",
     7,
     "float32[1, 2]",
     {1, 2},
     "y = Upsample(x) {scales=[1.0, 2.0]}",
     {1, 1, 2, 2}},
    {"Upsample9_operand",
     9,
     "float32[1, 2]",
     {1, 3},
     "const s: float32[2] = 1, 2\ny = Upsample(x, s) {mode=\"linear\"}",
     {1, 2, 3, 3}},
    {"Resize10_grows",
     10,
     "float32[1, 2]",
     {1, 2},
     "const s: float32[2] = 1, 2\ny = Resize(x, s)",
     {1, 1, 2, 2}},
    {"Resize10_shrinks_upwards",
     10,
     "float32[1, 4]",
     {1, 2, 3, 4},
     "const s: float32[2] = 1, 0.6000000238418579\ny = Resize(x, s)",
     {1, 3}},
    {"Resize10_both",
     10,
     "float32[2, 4]",
     {1, 2, 3, 4, 5, 6, 7, 8},
     "const s: float32[2] = 1.5, 0.6000000238418579\ny = Resize(x, s)",
     {1, 3, 1, 3, 5, 7}},
    {"Resize11_half_pixels",
     11,
     "float32[1, 4]",
     {1, 2, 3, 4},
     "const r: float32[0] =\nconst s: float32[2] = 1, 0.5\ny = Resize(x, r, s)",
     {1, 3}},
    {"Resize18_axes",
     18,
     "float32[2, 2]",
     {1, 2, 3, 4},
     "const s: float32[1] = 2\ny = Resize(x, _, s) {axes=[-1]}",
     {1, 1, 2, 2, 3, 3, 4, 4}},
    {"Resize19_symmetric",
     19,
     "float32[1, 5]",
     {0, 1, 2, 3, 4},
     "const s: float32[2] = 1, 0.5\ny = Resize(x, _, s) "
     "{mode=\"linear\", coordinate_transformation_mode=\"half_pixel_symmetric\"}",
     {1, 3}},
    {"BatchNormalization7_spatial",
     7,
     "float32[1, 2, 1]",
     {3, 4},
     "const s: float32[2] = 2, 1\nconst o: float32[2] = 1, 1\nconst z: float32[2] = 0, 0\n"
     "y = BatchNormalization(x, s, o, z, o) {spatial=1, epsilon=0.0}",
     {7, 5}},
    {"Slice9_attributes", 9, "float32[4]", kRow, "y = Slice(x) {starts=[1], ends=[9]}", {1, 5, 9}},
    {"Slice10_steps",
     10,
     "float32[4]",
     kRow,
     "const s: int64[1] = -1\nconst e: int64[1] = -9\nconst a: int64[1] = 0\n"
     "const t: int64[1] = -2\ny = Slice(x, s, e, a, t)",
     {9, 1}},
    {"Pad2_attributes", 7, "float32[2]", {1, 2}, "y = Pad(x) {pads=[1, 0], value=7.0}", {7, 1, 2}},
    {"Pad11_operands",
     11,
     "float32[2]",
     {1, 2},
     "const p: int64[2] = 1, 0\nconst v: float32[] = 7\ny = Pad(x, p, v)",
     {7, 1, 2}},
    {"Pad18_axes",
     18,
     "float32[1, 2]",
     {1, 2},
     "const p: int64[2] = 0, 1\nconst a: int64[1] = -1\ny = Pad(x, p, _, a)",
     {1, 2, 0}},
    {"Pad19_wrap",
     19,
     "float32[3]",
     {1, 2, 3},
     "const p: int64[2] = 1, 1\ny = Pad(x, p) {mode=\"wrap\"}",
     {3, 1, 2, 3, 1}},
    {"Squeeze11_attribute", 11, "float32[1, 2]", {1, 2}, "y = Squeeze(x) {axes=[-2]}", {1, 2}},
    {"Unsqueeze11_attribute", 11, "float32[2]", {1, 2}, "y = Unsqueeze(x) {axes=[0, 2]}", {1, 2}},
    {"Unsqueeze13_operand",
     13,
     "float32[2]",
     {1, 2},
     "const a: int64[1] = -1\ny = Unsqueeze(x, a)",
     {1, 2}},
    {"ReduceSum11_attribute",
     11,
     "float32[2, 2]",
     {1, 2, 3, 4},
     "y = ReduceSum(x) {axes=[1]}",
     {3, 7}},
    {"ReduceSum13_operand",
     13,
     "float32[2, 2]",
     {1, 2, 3, 4},
     "const a: int64[1] = 0\ny = ReduceSum(x, a) {keepdims=0}",
     {4, 6}},
    {"ReduceMean18_noop",
     18,
     "float32[2]",
     {1, 3},
     "y = ReduceMean(x) {noop_with_empty_axes=1}",
     {1, 3}},
    {"ReduceMean18_everything", 18, "float32[2]", {1, 3}, "y = ReduceMean(x)", {2}},
    {"Split2_attribute", 7, "float32[3]", {1, 2, 3}, "y, m = Split(x) {split=[1, 2]}", {1}, {2, 3}},
    {"Split13_operand",
     13,
     "float32[3]",
     {1, 2, 3},
     "const s: int64[2] = 2, 1\ny, m = Split(x, s)",
     {1, 2},
     {3}},
    {"Split18_uneven", 18, "float32[3]", {1, 2, 3}, "y, m = Split(x) {num_outputs=2}", {1, 2}, {3}},
    {"TopK1_attribute", 9, "float32[4]", kRow, "y, m = TopK(x) {k=2}", {9, 5}, {3, 2}},
    {"TopK11_smallest",
     11,
     "float32[4]",
     kRow,
     "const k: int64[1] = 1\ny, m = TopK(x, k) {largest=0}",
     {-3},
     {0}},
    {"ArgMax12_last_of_equals",
     12,
     "float32[3]",
     {4, 1, 4},
     "y = ArgMax(x) {select_last_index=1, keepdims=0}",
     {2}},
    {"ArgMax7_first_of_equals", 7, "float32[3]", {4, 1, 4}, "y = ArgMax(x) {keepdims=0}", {0}},
    {"Gemm7_with_C",
     7,
     "float32[1, 1]",
     {3},
     "const b: float32[1, 1] = 2\nconst c: float32[1] = 1\ny = Gemm(x, b, c) {beta=2.0}",
     {8}},
    {"Gemm11_without_C",
     11,
     "float32[1, 1]",
     {3},
     "const b: float32[1, 1] = 2\ny = Gemm(x, b)",
     {6}},
    {"Cast6_number", 7, "float32[2]", {1.5, -1.5}, "y = Cast(x) {to=6}", {1, -1}},
    {"Scatter9",
     9,
     "float32[1, 3]",
     {1, 2, 3},
     "const i: int64[1, 1] = 2\nconst u: float32[1, 1] = 9\ny = Scatter(x, i, u) {axis=1}",
     {1, 2, 9}},
    {"Gather11_negative",
     11,
     "float32[3]",
     {1, 2, 3},
     "const i: int64[1] = -1\ny = Gather(x, i)",
     {3}},
    {"AveragePool7_counts_pads",
     7,
     "float32[1, 1, 2]",
     {2, 4},
     "y = AveragePool(x) {kernel_shape=[2], pads=[1, 0], count_include_pad=1}",
     {1, 3}},
    {"AveragePool19_dilations",
     19,
     "float32[1, 1, 3]",
     {2, 4, 6},
     "y = AveragePool(x) {kernel_shape=[2], dilations=[2]}",
     {4}},
    {"MaxPool10_ceil",
     10,
     "float32[1, 1, 3]",
     {2, 4, 3},
     "y = MaxPool(x) {kernel_shape=[2], strides=[2], ceil_mode=1}",
     {4, 3}},
    {"DepthToSpace1_depth_first",
     7,
     "float32[1, 4, 1, 1]",
     {1, 2, 3, 4},
     "y = DepthToSpace(x) {blocksize=2}",
     {1, 2, 3, 4}},
    {"RoiAlign10_places",
     10,
     "float32[1, 1, 3, 3]",
     {0, 1, 2, 3, 4, 5, 6, 7, 8},
     "const b: float32[1, 4] = 0, 0, 2, 2\nconst i: int64[1] = 0\n"
     "y = RoiAlign(x, b, i) {output_height=1, output_width=1, sampling_ratio=1}",
     {4}},
    {"RoiAlign16_places",
     16,
     "float32[1, 1, 3, 3]",
     {0, 1, 2, 3, 4, 5, 6, 7, 8},
     "const b: float32[1, 4] = 0, 0, 2, 2\nconst i: int64[1] = 0\n"
     "y = RoiAlign(x, b, i) {output_height=1, output_width=1, sampling_ratio=1}",
     {2}},
    {"GroupNormalization18_per_group",
     18,
     "float32[1, 2, 2]",
     {1, 3, 5, 7},
     "const s: float32[1] = 2\nconst b: float32[1] = 1\n"
     "y = GroupNormalization(x, s, b) {num_groups=1, epsilon=11.0}",
     {-0.5, 0.5, 1.5, 2.5}},
    {"GroupNormalization21_per_channel",
     21,
     "float32[1, 2, 2]",
     {1, 3, 5, 7},
     "const s: float32[2] = 2, 4\nconst b: float32[2] = 1, 0\n"
     "y = GroupNormalization(x, s, b) {num_groups=1, epsilon=11.0}",
     {-0.5, 0.5, 1, 3}},
    {"GridSample16_names",
     16,
     "float32[1, 1, 1, 2]",
     {1, 3},
     "const g: float32[1, 1, 1, 2] = 0, 0\ny = GridSample(x, g) {mode=\"bilinear\"}",
     {2}},
    {"GridSample20_names",
     20,
     "float32[1, 1, 1, 2]",
     {1, 3},
     "const g: float32[1, 1, 1, 2] = 0, 0\ny = GridSample(x, g) {mode=\"linear\"}",
     {2}},
    {"QuantizeLinear21_type",
     21,
     "float32[2]",
     {-1, 1},
     "const s: float32[] = 0.5\ny = QuantizeLinear(x, s) {output_dtype=3}",
     {-2, 2}},
    {"Relu23", 23, "float32[2]", {-1, 1}, "y = Relu(x)", {0, 1}},
};

void expect_values(const Graph& graph, const OldNode& node, const char* form) {
  const graph::ValueInfo& x = graph.values.at("x");
  const auto got = reference::evaluate(graph, {{"x", {x.dtype, *x.shape, node.x}}});
  ASSERT_TRUE(got.ok()) << form << ": " << got.error().to_string();
  EXPECT_THAT(got->at("y").values, ::testing::Pointwise(::testing::DoubleNear(1e-6), node.y))
      << form;
  if (!node.mask.empty()) {
    EXPECT_EQ(got->at("m").values, node.mask) << form;
  }
}

class OldVersions : public ::testing::TestWithParam<OldNode> {};

TEST_P(OldVersions, MeanInCanonicalFormWhatTheyMeant) {
  const OldNode& node = GetParam();
  const std::string mask = node.mask.empty() ? "" : "output m\n";
  const Graph old = parsed("graph \"g\" opset " + std::to_string(node.opset) +
                           "\ninput x: " + node.input + "\n" + node.body + "\noutput y\n" + mask);
  expect_values(old, node, "as it is");
  Graph canonical = old;
  const auto changes = canonicalize(canonical);
  ASSERT_TRUE(changes.ok()) << changes.error().to_string();
  if (node.opset >= 7) {
    EXPECT_EQ(canonical.opset, graph::kDefaultOpset);
  }
  EXPECT_EQ(old.values.at("y").dtype, canonical.values.at("y").dtype);
  expect_values(canonical, node, "canonical");
}

INSTANTIATE_TEST_SUITE_P(Changelog, OldVersions, ::testing::ValuesIn(kNodes),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(OldVersions, WhatCannotBeSaidIsRefused) {
  Graph graph = *graph::parse_text(
      "graph \"g\" opset 7\ninput x: float32[1, 2]\nconst s: float32[2] = 1, 1\n"
      "y = BatchNormalization(x, s, s, s, s) {spatial=0} @\"norm\"\noutput y\n");
  const auto changes = canonicalize(graph);
  ASSERT_FALSE(changes.ok());
  EXPECT_EQ(changes.error().code, "OPK-REF-011");
  EXPECT_EQ(changes.error().op, "BatchNormalization");
  EXPECT_THAT(changes.error().to_string(), ::testing::HasSubstr("node norm"));
}

}  // namespace
}  // namespace opkit::passes
