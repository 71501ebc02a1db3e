// What exporters write in several ways becomes one op, and what nobody takes keeps its words. With
// the packages of ASCEND_OPP_PATH, else those that `make ops` installed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "model_test.h"
#include "opkit/atc/compile/report.h"
#include "opkit/reference/infer.h"
#include "tests/graph_text/parse_text.h"

namespace opkit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Spellings : public ModelTest {};

// Nodes as exporters write them: each is taken by a plugin.
struct Spelling {
  const char *op, *text;
};
constexpr Spelling kSpellings[] = {
    {"Resize",
     "const roi: float32[0] =\nconst s: float32[4] = 1, 1, 2, 2\n"
     "y = Resize(x, roi, s) {coordinate_transformation_mode=\"asymmetric\", "
     "mode=\"nearest\", nearest_mode=\"floor\", cubic_coeff_a=-0.75}\n"},
    {"Resize",
     "const s: int64[4] = 2, 3, 7, 21\ny = Resize(x, _, _, s) {mode=\"linear\", "
     "coordinate_transformation_mode=\"pytorch_half_pixel\", nearest_mode=\"floor\"}\n"},
    {"Resize",
     "const s: float32[4] = 1, 1, 0.5, 4\ny = Resize(x, _, s) {mode=\"linear\", "
     "coordinate_transformation_mode=\"align_corners\"}\n"},
    {"CumSum", "const a: int32[1] = -1\ny = CumSum(x, a) {exclusive=1}\n"},
    {"TopK", "const k: int64[1] = 5\ny, i = TopK(x, k) {axis=-1}\noutput i\n"},
    {"Sppf",
     "a = MaxPool(x) {kernel_shape=[5, 5], pads=[2, 2, 2, 2]}\n"
     "b = MaxPool(a) {kernel_shape=[5, 5], auto_pad=\"SAME_UPPER\"}\n"
     "c = MaxPool(b) {kernel_shape=[5, 5], pads=[2, 2, 2, 2], strides=[1, 1]}\n"
     "y = Concat(x, a, b, c) {axis=-3}\n"},
    {"FocusConv",
     "const w: float32[1, 12, 1, 1] = 1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, 12\n"
     "const b: float32[1] = 0.5\nconst even: int64[1] = 0\nconst odd: int64[1] = 1\n"
     "const all: int64[1] = 9007199254740992\nconst down: int64[1] = 2\n"
     "const across: int64[1] = 3\nconst two: int64[1] = 2\n"
     "r = Slice(x, even, all, down, two)\ns0 = Slice(r, even, all, across, two)\n"
     "o = Slice(x, odd, all, down, two)\ns1 = Slice(o, even, all, across, two)\n"
     "p = Slice(x, even, all, down, two)\ns2 = Slice(p, odd, all, across, two)\n"
     "q = Slice(x, odd, all, down, two)\ns3 = Slice(q, odd, all, across, two)\n"
     "c = Concat(s0, s1, s2, s3) {axis=1}\nz = Conv(c, w, b) {group=1, dilations=[1, 1]}\n"
     "g = Sigmoid(z)\ny = Mul(z, g)\n"},
    {"C3Bottleneck",
     "const v: float32[1, 3, 1, 1] = 1, -2, 3\nconst a: float32[1] = 0.5\n"
     "const w: float32[3, 1, 1, 3] = 1, 2, 3, -1, -2, -3, 0.5, 0.25, 0\n"
     "const b: float32[3] = 0, 1, 2\n"
     "n = Conv(x, v, a) {strides=[1, 1]}\ng = Sigmoid(n)\nm = Mul(n, g)\n"
     "z = Conv(m, w, b) {pads=[0, 1, 0, 1], kernel_shape=[1, 3]}\nh = Sigmoid(z)\n"
     "s = Mul(z, h)\ny = Add(x, s)\n"},
    {"Trilu", "y = Trilu(x) {upper=0}\n"},
    {"Trilu", "const k: int64[] = -2\ny = Trilu(x, k)\n"},
    {"OneHot",
     "const k: int64[1] = 3\nconst n: int64[1] = 20\nconst v: float32[2] = 0, 1\n"
     "t, i = TopK(x, k) {largest=0}\ny = OneHot(i, n, v)\noutput t\n"},
    {"CumSum", "const a: int64[] = 2\ny = CumSum(x, a) {reverse=1}\n"},
    {"BatchNormalization",
     "const s: float32[3] = 2, -1, 0.5\nconst v: float32[3] = all 3.75\n"
     "y = BatchNormalization(x, s, s, s, v) {momentum=0.8999999761581421}\n"},
    {"ConvTranspose",
     "const w: float32[3, 1, 3, 2] = all 0.5\n"
     "y = ConvTranspose(x, w) {auto_pad=\"SAME_UPPER\", strides=[2, 2]}\n"},
    // In other words.
    {"ReduceSum", "y = ReduceSum(x)\n"},
    {"ReduceMean", "y = ReduceMean(x) {axes=[-1, 1], keepdims=0}\n"},
    {"ReduceMax", "y = ReduceMax(x) {axes=[0, 2, 3]}\n"},
    {"Log", "y = ReduceLogSumExp(x) {axes=[2, 3], keepdims=0}\n"},
    {"Softmax", "y = Softmax(x) {axis=1}\n"},
    {"LogSoftmax", "y = LogSoftmax(x) {axis=2}\n"},
    {"MaxPool", "y = MaxPool(x) {kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1}\n"},
    {"Conv",
     "const shape: int64[3] = 2, 3, 96\nr = Reshape(x, shape)\n"
     "const w: float32[1, 3, 3] = 1, 2, 3, -1, -2, -3, 0.5, 0.25, 0\n"
     "y = Conv(r, w) {strides=[2], pads=[1, 0]}\n"},
    {"GlobalMaxPool",
     "const shape: int64[3] = 2, 3, 96\nr = Reshape(x, shape)\ny = GlobalMaxPool(r)\n"},
    {"Maximum", "const l: float32[] = 0.25\ny = Clip(x, l)\n"},
    {"Minimum", "n = Neg(x)\nm = ReduceMax(x)\ny = Min(x, m, n)\n"},
    {"Gemm",
     "const shape: int64[2] = 24, 24\nr = Reshape(x, shape)\n"
     "const c: float32[24, 1] = all 0.5\ny = Gemm(r, r, c) {beta=0.5}\n"},
};

bool is_candidate(const compile::Compiled& made, const std::string& op) {
  return std::any_of(made.candidates.all.begin(), made.candidates.all.end(),
                     [&](const compile::Candidate& candidate) { return candidate.name() == op; });
}

TEST_P(Spellings, NodesAreTakenHoweverTheyAreSpelled) {
  std::mt19937 random(14);
  const graph::RefTensor x = random_tensor(random, DType::kFloat32, {2, 3, 8, 12}, 1);
  for (const Spelling& spelling : kSpellings) {
    if (ops_->find(spelling.op) == nullptr) GTEST_SKIP() << "run `make ops` first";
    auto graph = graph::parse_text("graph \"g\" opset 13\ninput x: float32[2, 3, 8, 12]\n" +
                                   std::string(spelling.text) + "output y\n");
    ASSERT_TRUE(graph.ok()) << graph.error().to_string();
    const auto inferred = reference::infer(*graph);
    ASSERT_TRUE(inferred.ok()) << spelling.text << inferred.error().to_string();
    const auto expected = reference::evaluate(*graph, {{"x", x}});
    ASSERT_TRUE(expected.ok()) << expected.error().to_string();
    compile::Options options;
    options.candidates.soc = GetParam();
    options.candidates.fallback = false;
    const auto whole = compile::compile(*graph, *ops_, options);
    ASSERT_TRUE(whole.ok()) << spelling.text << whole.error().to_string();
    EXPECT_TRUE(is_candidate(*whole, spelling.op))
        << spelling.text << compile::explain_text(*whole);
    const auto input = reference::to_tensor(x);
    expect_near(run(*whole, {*input}), *expected, *graph, 2e-5);
  }
}

// Nodes of a type that no op has stay as they are, and --no-fallback names them.
TEST_P(Spellings, NodesThatNobodyTakesKeepTheirWords) {
  const auto graph = graph::parse_text(
      "graph \"g\" opset 13\ninput x: float64[2, 3]\ninput f: float32[2, 3]\n"
      "y = ReduceMax(x) {axes=[1], keepdims=0}\nz = ReduceMax(f) {axes=[1], keepdims=0}\n"
      "output y\noutput z\n");
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  compile::Options options;
  options.candidates.soc = GetParam();
  const auto made = compile::compile(*graph, *ops_, options);
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  const std::string text = graph::to_text(made->graph);
  EXPECT_THAT(text, HasSubstr("y: float64[2] = ReduceMax(x)"));
  EXPECT_THAT(text, HasSubstr("z: float32[2] = Reshape("));
  EXPECT_EQ(made->rewrites.at("rephrase_dropped_dims"), 1u);
  options.candidates.fallback = false;
  const auto refused = compile::compile(*graph, *ops_, options);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "EZ3003");
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("[y]"), HasSubstr("float64")));
}

INSTANTIATE_TEST_SUITE_P(Chips, Spellings, ::testing::Values("Ascend910B1", "Ascend310B1"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace opkit
