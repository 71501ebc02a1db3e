// Ops that take a normalization by themselves, in graphs whose normalizations were folded.
#include "opkit/atc/compile/unfolded.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/atc/compile/precision.h"
#include "opkit/atc/compile/prepare.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::compile {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

const OpContract& conv_bn_relu() {
  static const OpContract op = [] {
    auto parsed = OpContract::parse(R"yaml(
op: ConvBnRelu
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "N, C, H, W"}
  w: {dtype: T, shape: "O, C, KH, KW"}
  s: {dtype: T, shape: "O"}
  b: {dtype: T, shape: "O"}
  m: {dtype: T, shape: "O"}
  v: {dtype: T, shape: "O"}
outputs: {y: {dtype: T, shape: "N, O, H - KH + 1, W - KW + 1"}}
types: {T: [float16, float32]}
attrs: {epsilon: {type: float, default: 1.0e-5}}
where: {C1: "KH <= H and KW <= W"}
reference:
  - {op: Conv, in: [x, w], out: sum}
  - {op: BatchNormalization, in: [sum, s, b, m, v], out: normal, attrs: {epsilon: $epsilon}}
  - {op: Relu, in: [normal], out: y}
)yaml",
                                    "c.yaml");
    EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
    return std::move(parsed).value();
  }();
  return op;
}

const std::string kBegin =
    "input x: float32[1, 3, 8, 8]\nconst w: float32[4, 3, 3, 3] = all 0.5\n"
    "const s: float32[4] = 1, 2, 3, 4\nconst v: float32[4] = 4, 3, 2, 1\n"
    "c = Conv(x, w)\nn = BatchNormalization(c, s, s, v, v)\n";

struct Both {
  graph::Graph graph;
  Prepared prepared;
};

Both prepared(const std::string& text) {
  auto graph = graph::parse_text(text);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  Both both{std::move(*graph), {}};
  auto done = prepare(both.graph);
  EXPECT_TRUE(done.ok()) << done.error().to_string();
  both.prepared = std::move(*done);
  return both;
}

match::Found found(const Both& both) {
  const match::Matcher matcher(both.graph);
  return Unfolded(both.prepared.forms.unfolded, matcher).find(conv_bn_relu());
}

TEST(Unfolded, FindsWhatWasFolded) {
  const Both both = prepared(kBegin + "y = Relu(n)\noutput y\n");
  ASSERT_THAT(both.graph.nodes, SizeIs(2)) << to_text(both.graph);
  ASSERT_THAT(both.prepared.forms.unfolded.nodes, SizeIs(3))
      << to_text(both.prepared.forms.unfolded);
  EXPECT_THAT(match::Matcher(both.graph).find(conv_bn_relu()).matches, SizeIs(0));
  const auto matches = found(both).matches;
  ASSERT_THAT(matches, SizeIs(1));
  EXPECT_THAT(matches[0].nodes, ElementsAre(0, 1));
  EXPECT_THAT(matches[0].inputs[1], ElementsAre("w"));
  EXPECT_THAT(matches[0].outputs[0], ElementsAre("y"));
}

TEST(Unfolded, IsThereOnlyWhenSomethingWasFolded) {
  EXPECT_TRUE(prepared("input x: float32[2]\ny = Relu(x)\noutput y\n")
                  .prepared.forms.unfolded.nodes.empty());
}

TEST(Unfolded, RespectsOtherReaders) {
  // The normalized value is read twice; the op would not store it.
  const Both both = prepared(kBegin + "y = Relu(n)\nz = Tanh(n)\noutput y\noutput z\n");
  EXPECT_THAT(found(both).matches, SizeIs(0));
}

// Contracts of the nodes that are left when everything is folded.
std::vector<const OpContract*> single_ops() {
  const auto made = [](const std::string& name, const std::string& inputs, const std::string& y,
                       const std::string& in) {
    auto parsed =
        OpContract::parse("op: " + name + "\nversion: \"1.0.0\"\ninputs: {" + inputs +
                              "}\noutputs: {y: {dtype: T, shape: \"" + y +
                              "\"}}\ntypes: {T: [float16, float32]}\nreference: [{op: " + name +
                              ", in: [" + in + "], out: y}]\n",
                          "c.yaml");
    EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
    return std::move(parsed).value();
  };
  static const OpContract conv =
      made("Conv",
           "x: {dtype: T, shape: \"N, C, H, W\"}, w: {dtype: T, shape: \"O, C, KH, KW\"}, "
           "b: {dtype: T, shape: \"O\"}",
           "N, O, H - KH + 1, W - KW + 1", "x, w, b");
  static const OpContract relu = made("Relu", "x: {dtype: T, shape: \"S..\"}", "S..", "x");
  return {&conv, &relu};
}

Both in_half(const std::string& text) {
  Both both = prepared(text);
  PrecisionOptions options;
  options.mode = PrecisionMode::kHalf;
  auto changes = set_precision(both.graph, both.prepared.forms.unfolded, single_ops(), options);
  EXPECT_TRUE(changes.ok()) << changes.error().to_string();
  if (changes.ok()) {
    EXPECT_THAT(changes->converted, SizeIs(2));
  }
  return both;
}

TEST(Unfolded, FollowsAChangeOfTypes) {
  const Both both = in_half(kBegin + "y = Relu(n)\noutput y\n");
  const auto matches = found(both).matches;
  ASSERT_THAT(matches, SizeIs(1)) << to_text(both.graph) << to_text(both.prepared.forms.unfolded);
  EXPECT_THAT(matches[0].nodes, SizeIs(2));
  EXPECT_EQ(both.prepared.forms.unfolded.values.at(matches[0].inputs[1][0]).dtype, DType::kFloat16);
}

// A variance that float16 does not hold would be infinite.
TEST(Unfolded, KeepsTypesThatHoldItsConstants) {
  std::string text = kBegin;
  text.replace(text.find("= 4, 3, 2, 1"), 12, "= 4, 3, 70000, 1");
  const Both both = in_half(text + "y = Relu(n)\noutput y\n");
  EXPECT_THAT(found(both).matches, SizeIs(0)) << to_text(both.prepared.forms.unfolded);
}

TEST(Unfolded, SaysWhyTheOpDeclines) {
  const Both both = prepared(kBegin + "y = Tanh(n)\nq = Relu(x)\noutput y\noutput q\n");
  const match::Found declined = found(both);
  EXPECT_THAT(declined.matches, SizeIs(0));
  ASSERT_THAT(declined.near_misses, SizeIs(1));
  EXPECT_EQ(both.graph.nodes[declined.near_misses[0].node].op_type, "Conv");
  EXPECT_THAT(declined.near_misses[0].refusal.reason, ::testing::HasSubstr("Tanh stands"));
}

}  // namespace
}  // namespace opkit::compile
