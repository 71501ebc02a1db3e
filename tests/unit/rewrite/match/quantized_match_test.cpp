// Quantised models in whole numbers beside the shipped ops of int8, and near misses of each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "opkit/rewrite/match/match.h"
#include "opkit/rewrite/passes/quantized_form.h"
#include "opkit/rewrite/passes/rewrite.h"
#include "opkit_test_paths.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::match {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

OpContract int8_op(const std::string& file) {
  auto contract = OpContract::load(std::filesystem::path(OPKIT_SOURCE_DIR) / "ops" / file);
  EXPECT_TRUE(contract.ok()) << file;
  return std::move(contract).value();
}

const OpContract& conv() {
  static const OpContract op = int8_op("fused/quant_conv_requant/op_contract.yaml");
  return op;
}
const OpContract& conv_and_sum() {
  static const OpContract op = int8_op("fused/quant_conv_add_requant/op_contract.yaml");
  return op;
}
const OpContract& product() {
  static const OpContract op = int8_op("fused/quant_mat_mul_requant/op_contract.yaml");
  return op;
}

// Begins with x in whole numbers; ends with y, which are `r` in whole numbers.
const std::string kSteps =
    "const s: float32[] = 0.5\nconst t: float32[] = 0.25\nconst z: int8[] = 3\n"
    "const n: int8[] = 0\nconst o: int8[] = -7\n";
const std::string kBegin = kSteps + "q = QuantizeLinear(x, s, z)\nd = DequantizeLinear(q, s, z)\n";
const std::string kEnd = "p = QuantizeLinear(r, t, o)\ny = DequantizeLinear(p, t, o)\noutput y\n";
const std::string kConv =
    "input x: float32[1, 3, 5, 5]\n" + kBegin +
    "const w: int8[2, 3, 2, 2] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, "
    "2, 2, 2\nconst ws: float32[2] = 0.5, 0.25\n"
    "const wz: int8[2] = 0, 0\nf = DequantizeLinear(w, ws, wz) {axis=0}\n";
const std::string kInt8Product = "input x: float32[4, 3]\n" + kBegin +
                                 "const w: int8[3, 2] = 1, 2, 3, 4, 5, 6\n"
                                 "f = DequantizeLinear(w, s, n)\n";

graph::Graph whole(const std::string& text) {
  auto graph = graph::parse_text(text);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  if (!graph.ok()) return {};
  const auto changes = passes::canonicalize(*graph, passes::unfolding_rewrites());
  EXPECT_TRUE(changes.ok()) << changes.error().to_string();
  auto form = passes::quantized_form(*graph);
  EXPECT_TRUE(form.ok()) << form.error().to_string();
  return form.ok() ? std::move(form->graph) : graph::Graph();
}

const graph::RefTensor& number(const graph::Graph& form, const Match& match, const char* port) {
  const auto& inputs = match.contract->inputs;
  for (size_t p = 0; p < inputs.size(); ++p) {
    if (inputs[p].name == port) return *form.constant(match.inputs[p].at(0));
  }
  static const graph::RefTensor kNone;
  return kNone;
}

TEST(QuantizedMatch, ConvTakesScalesAndZeroPoints) {
  for (const auto& [behind, activation] :
       {std::pair{"r = Identity(v)\n", "none"}, std::pair{"r = Relu(v)\n", "relu"},
        std::pair{"r = Tanh(v)\n", "tanh"}, std::pair{"r = Sigmoid(v)\n", "sigmoid"},
        std::pair{"g = Sigmoid(v)\nr = Mul(v, g)\n", "silu"}}) {
    const graph::Graph form =
        whole(kConv + "v = Conv(d, f) {pads=[1, 0, 0, 1], strides=[2, 1]}\n" + behind + kEnd);
    const Found found = Matcher(form).find(conv());
    ASSERT_EQ(found.matches.size(), 1u) << activation << to_text(form);
    const Match& match = found.matches[0];
    EXPECT_EQ(match.nodes.size(), form.nodes.size());
    EXPECT_EQ(std::get<std::string>(match.attrs.at("activation")), activation);
    EXPECT_THAT(std::get<std::vector<int64_t>>(match.attrs.at("pads")), ElementsAre(1, 0, 0, 1));
    EXPECT_THAT(std::get<std::vector<int64_t>>(match.attrs.at("strides")), ElementsAre(2, 1));
    EXPECT_THAT(number(form, match, "outside").values, ElementsAre(3));
    EXPECT_THAT(number(form, match, "offset").values, ElementsAre(-7));
    // x's zero point times the sums of weights.
    EXPECT_THAT(number(form, match, "bias").values, ElementsAre(-3 * 12, -3 * 24));
    const bool bends = std::string(activation) != "none" && std::string(activation) != "relu";
    const double by_y = bends ? 1 : 4;
    EXPECT_THAT(number(form, match, "scale").values, ElementsAre(0.25 * by_y, 0.125 * by_y));
    if (bends) {
      EXPECT_THAT(number(form, match, "factor").values, ElementsAre(4));
    }
  }
}

TEST(QuantizedMatch, ConvIsNoOtherConvolution) {
  for (const std::string text :
       {"v = Conv(d, f)\nr = Elu(v)\n", "v = Conv(d, f)\nr = Add(v, v)\n",
        "h = DequantizeLinear(w, ws, wz) {axis=0}\nm = Transpose(d) {perm=[0, 1, 3, 2]}\n"
        "v = Conv(x, h)\nr = Relu(v)\n"}) {
    EXPECT_THAT(Matcher(whole(kConv + text + kEnd)).find(conv()).matches, IsEmpty()) << text;
  }
}

// A convolution of int8 that ends with `e`, what it is added to, and the sum `a`.
const std::string kResidual = "input k: float32[1, 2, 5, 5]\n" + kConv +
                              "h = QuantizeLinear(k, t, n)\ni = DequantizeLinear(h, t, n)\n"
                              "v = Conv(d, f) {pads=[1, 0, 0, 1]}\nc = QuantizeLinear(v, s, o)\n"
                              "e = DequantizeLinear(c, s, o)\n";

TEST(QuantizedMatch, ConvAndSumTakeScalesAndZeroPoints) {
  for (const auto& [sum, relu] :
       {std::pair{"a = Add(e, i)\nr = Relu(a)\n", true}, std::pair{"r = Add(i, e)\n", false}}) {
    const graph::Graph form = whole(kResidual + sum + kEnd);
    const Found found = Matcher(form).find(conv_and_sum());
    ASSERT_EQ(found.matches.size(), 1u) << sum << to_text(form);
    const Match& match = found.matches[0];
    EXPECT_EQ(match.nodes.size(), form.nodes.size());
    EXPECT_EQ(std::get<bool>(match.attrs.at("relu")), relu);
    EXPECT_THAT(match.inputs.at(5), ElementsAre("h"));
    EXPECT_THAT(number(form, match, "scale").values, ElementsAre(0.5, 0.25));
    EXPECT_THAT(number(form, match, "c_offset").values, ElementsAre(-7));
    EXPECT_THAT(number(form, match, "c_scale").values, ElementsAre(2));
    EXPECT_THAT(number(form, match, "addend_scale").values, ElementsAre(1));
    EXPECT_THAT(number(form, match, "shift").values, ElementsAre(7 * 2));
    EXPECT_THAT(number(form, match, "offset").values, ElementsAre(-7));
    EXPECT_EQ(Matcher(form).find(conv()).matches.size(), 1u);
  }
}

TEST(QuantizedMatch, ConvAndSumStandAloneOrNotAtAll) {
  const graph::Graph twice = whole(kResidual +
                                   "a = Add(e, i)\nj = DequantizeLinear(c, s, o)\nb = Add(a, j)\n"
                                   "r = Relu(b)\n" +
                                   kEnd);
  EXPECT_THAT(Matcher(twice).find(conv_and_sum()).matches, IsEmpty()) << to_text(twice);
  const graph::Graph other = whole(kResidual + "a = Mul(e, i)\nr = Relu(a)\n" + kEnd);
  EXPECT_THAT(Matcher(other).find(conv_and_sum()).matches, IsEmpty()) << to_text(other);
}

TEST(QuantizedMatch, ProductTakesScalesAndZeroPoints) {
  const graph::Graph form = whole(kInt8Product +
                                  "const b: float32[2] = 1, -2\nm = MatMul(d, f)\n"
                                  "r = Add(m, b)\n" +
                                  kEnd);
  const Found found = Matcher(form).find(product());
  ASSERT_EQ(found.matches.size(), 1u) << to_text(form);
  const Match& match = found.matches[0];
  EXPECT_THAT(number(form, match, "bias").values, ElementsAre(4 - 3 * 9, -8 - 3 * 12));
  EXPECT_THAT(number(form, match, "scale").values, ElementsAre(1));
  EXPECT_THAT(number(form, match, "offset").values, ElementsAre(-7));
}

TEST(QuantizedMatch, ProductIsNoOtherProduct) {
  for (const std::string text :
       {"const c: float32[4, 1] = 1, 2, 3, 4\nm = MatMul(d, f)\nr = Add(m, c)\n",
        "const c: float32[2] = 1, 2\nr = Gemm(d, f, c) {alpha=0.5}\n",
        "m = MatMul(d, f)\nr = Add(m, m)\n"}) {
    EXPECT_THAT(Matcher(whole(kInt8Product + text + kEnd)).find(product()).matches, IsEmpty())
        << text;
  }
}

TEST(QuantizedMatch, SumsAndRescalings) {
  const OpContract sum = int8_op("builtin/requantize/quantized_add_contract.yaml"),
                   rescaling = int8_op("builtin/requantize/requantize_contract.yaml");
  const std::string begin = "input x: float32[4, 3]\n" + kBegin;
  const graph::Graph added =
      whole(begin +
            "h = Tanh(x)\nk = QuantizeLinear(h, t, n)\ne = DequantizeLinear(k, t, n)\n"
            "a = Add(d, e)\nr = Relu(a)\n" +
            kEnd);
  const Found sums = Matcher(added).find(sum);
  ASSERT_EQ(sums.matches.size(), 1u) << to_text(added);
  EXPECT_EQ(std::get<bool>(sums.matches[0].attrs.at("relu")), true);
  EXPECT_THAT(number(added, sums.matches[0], "shift").values, ElementsAre(-3 * 2));
  const graph::Graph scaled = whole(begin + "r = Identity(d)\n" + kEnd);
  const Found rescaled = Matcher(scaled).find(rescaling);
  ASSERT_EQ(rescaled.matches.size(), 1u) << to_text(scaled);
  EXPECT_THAT(number(scaled, rescaled.matches[0], "x_scale").values, ElementsAre(2));
  EXPECT_THAT(number(scaled, rescaled.matches[0], "shift").values, ElementsAre(-6));
  EXPECT_EQ(std::get<bool>(rescaled.matches[0].attrs.at("relu")), false);
}

}  // namespace
}  // namespace opkit::match
