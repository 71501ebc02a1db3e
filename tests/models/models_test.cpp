// Models through the whole way: import, cover, offline model, run; judged by the reference
// interpreter on the graph as it was imported. With the packages of ASCEND_OPP_PATH, else those
// that `make ops` installed; the stored networks are those of the folder OPKIT_MODELS.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>

#include "model_test.h"
#include "networks.h"
#include "opkit/atc/compile/bisect.h"
#include "opkit/atc/compile/proof.h"
#include "opkit/atc/compile/report.h"
#include "opkit/atc/compile/single_nodes.h"
#include "opkit/base/file.h"
#include "opkit/graph/text.h"
#include "opkit/model/file/gears.h"
#include "opkit/reference/infer.h"
#include "opkit/rewrite/onnx/import.h"

namespace opkit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class Models : public ModelTest {};

// A network in the manner of ResNet: convolutions, normalizations, a shortcut, pools, a linear end.
graph::Graph small_network(uint32_t seed, int64_t batch = 1) {
  std::mt19937 random(seed);
  const auto parsed = graph::parse_text(
      "graph \"small\" opset 13\ninput x: float32[" + std::to_string(batch) +
      ", 3, 32, 32]\n"
      "c0 = Conv(x, w0) {kernel_shape=[7, 7], pads=[3, 3, 3, 3], strides=[2, 2]} @\"conv0\"\n"
      "n0 = BatchNormalization(c0, s, b, m, v) @\"bn0\"\nr0 = Relu(n0) @\"relu0\"\n"
      "p0 = MaxPool(r0) {kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2]} @\"pool0\"\n"
      "c1 = Conv(p0, w1, b) {pads=[1, 1, 1, 1]} @\"conv1\"\nr1 = Relu(c1) @\"relu1\"\n"
      "c2 = Conv(r1, w2, b) {pads=[1, 1, 1, 1]} @\"conv2\"\na = Add(c2, p0) @\"add\"\n"
      "r2 = Relu(a) @\"relu2\"\ng = GlobalAveragePool(r2) @\"mean\"\nf = Flatten(g) @\"flat\"\n"
      "l = Gemm(f, w3, b3) {transB=1} @\"linear\"\ny = Softmax(l) @\"prob\"\noutput y\noutput "
      "r2\n");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  graph::Graph graph = *parsed;
  const auto add = [&](const char* name, Shape shape, double scale) {
    graph.add_constant(name, random_tensor(random, DType::kFloat32, shape, scale));
  };
  add("w0", {16, 3, 7, 7}, 0.2);
  add("w1", {16, 16, 3, 3}, 0.2);
  add("w2", {16, 16, 3, 3}, 0.2);
  add("w3", {10, 16}, 0.5);
  add("b3", {10}, 0.5);
  for (const char* name : {"s", "b", "m"}) add(name, {16}, 1);
  graph.add_constant("v", {DType::kFloat32, Shape{16}, std::vector<double>(16, 0.75)});
  EXPECT_TRUE(reference::infer(graph).ok());
  return graph;
}

// Each gear's kernels, in memory that all gears share, give the bits of a model for that shape
// alone.
TEST_P(Models, GearsGiveWhatOneShapeGives) {
  const std::vector<int64_t> batches = {1, 2, 5};
  model::GearJoin join(model::GearKind::kBatch);
  std::vector<compile::Compiled> fixed;
  for (const int64_t batch : batches) {
    fixed.push_back(compiled(small_network(3, batch)));
    join.add({batch}, fixed.back().model());
  }
  const model::OfflineModel geared = join.take();
  EXPECT_EQ(geared.weights.size(), fixed[0].model().weights.size());
  EXPECT_FALSE(geared.plugins.empty());
  auto runner =
      model_run::ModelRunner::load(model::decode(model::encode(geared)).value(), *ops_, 1);
  ASSERT_TRUE(runner.ok()) << runner.error().to_string();
  std::mt19937 random(17);
  for (const size_t g : {2, 0, 1, 2}) {
    const auto x =
        reference::to_tensor(random_tensor(random, DType::kFloat32, {batches[g], 3, 32, 32}, 1));
    const auto outputs = runner->run({*x});
    ASSERT_TRUE(outputs.ok()) << outputs.error().to_string();
    const std::vector<Tensor> expected = run(fixed[g], {*x});
    ASSERT_EQ(outputs->size(), expected.size());
    for (size_t o = 0; o < expected.size(); ++o) {
      ASSERT_EQ((*outputs)[o].shape(), expected[o].shape());
      EXPECT_EQ(std::memcmp((*outputs)[o].data(), expected[o].data(), expected[o].size_bytes()), 0);
    }
  }
}

TEST_P(Models, SmallNetworkGivesWhatTheInterpreterSays) {
  for (uint32_t seed = 1; seed <= 2; ++seed) {
    const graph::Graph graph = small_network(seed);
    std::mt19937 random(seed + 100);
    const graph::RefTensor x = random_tensor(random, DType::kFloat32, {1, 3, 32, 32}, 1);
    const auto expected = reference::evaluate(graph, {{"x", x}});
    ASSERT_TRUE(expected.ok()) << expected.error().to_string();
    const auto input = reference::to_tensor(x);
    const compile::Compiled chosen = compiled(graph), plain = compiled(graph, false);
    expect_near(run(chosen, {*input}), *expected, graph, 2e-5);
    expect_near(run(plain, {*input}), *expected, graph, 2e-5);
    EXPECT_LE(chosen.cover.cost, plain.cover.cost);
    const auto proof = compile::prove(chosen, *ops_);
    ASSERT_TRUE(proof.ok()) << proof.error().to_string();
    EXPECT_GE(proof->exact(), 5u);
    fmt::print("{}", compile::proof_text(*proof));
    fmt::print("{}plain: {} us, {} bytes\n", compile::summary_text(chosen),
               static_cast<double>(plain.cover.cost) / 1e3, plain.traffic());
  }
}

// In the manner of YOLO: pixels of 2 x 2 as channels by four slices, a convolution with SiLU, a
// stage that keeps one half of the channels as they are, mirrored borders, boxes joined along the
// last dim.
graph::Graph small_detector() {
  std::mt19937 random(12);
  const auto parsed = graph::parse_text(
      "graph \"detector\" opset 13\ninput x: float32[1, 3, 32, 48]\n"
      "const o: int64[2] = 0, 0\nconst r: int64[2] = 0, 1\nconst d: int64[2] = 1, 0\n"
      "const i: int64[2] = 1, 1\nconst e: int64[2] = 9007199254740992, 9007199254740992\n"
      "const a: int64[2] = -2, -1\nconst two: int64[2] = 2, 2\n"
      "x0 = Slice(x, o, e, a, two)\nx1 = Slice(x, d, e, a, two)\nx2 = Slice(x, r, e, a, two)\n"
      "x3 = Slice(x, i, e, a, two)\nf = Concat(x0, x1, x2, x3) {axis=1}\n"
      "c0 = Conv(f, w0, b0) {pads=[1, 1, 1, 1]}\ng0 = Sigmoid(c0)\ns0 = Mul(c0, g0)\n"
      "left, right = Split(s0) {axis=1}\n"
      "const m: int64[8] = 0, 0, 1, 2, 0, 0, 1, 0\npadded = Pad(right, m) {mode=\"reflect\"}\n"
      "c1 = Conv(padded, w1) {pads=[0, 0, 0, 0]}\nr1 = Relu(c1)\n"
      "j = Concat(left, r1) {axis=-3}\nc2 = Conv(j, w2)\n"
      "const rows: int64[3] = 1, 12, 384\nflat = Reshape(c2, rows)\n"
      "t = Transpose(flat) {perm=[0, 2, 1]}\n"
      "const sizes: int64[3] = 4, 1, 7\nbox, sure, kind = Split(t, sizes) {axis=-1}\n"
      "const thrice: int64[3] = 1, 1, 7\nwide = Tile(sure, thrice)\np = Sigmoid(wide)\n"
      "q = Mul(kind, p)\nall = Concat(box, q) {axis=2}\n"
      "const n: int64[6] = 0, 0, 0, 0, 16, 1\nconst minus: float32[] = -1\n"
      "y = Pad(all, n, minus)\noutput y\n");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  graph::Graph graph = *parsed;
  const auto add = [&](const char* name, Shape shape, double scale) {
    graph.add_constant(name, random_tensor(random, DType::kFloat32, shape, scale));
  };
  add("w0", {16, 12, 3, 3}, 0.2);
  add("b0", {16}, 0.5);
  add("w1", {8, 8, 3, 3}, 0.2);
  add("w2", {12, 16, 1, 1}, 0.3);
  EXPECT_TRUE(reference::infer(graph).ok());
  return graph;
}

TEST_P(Models, SmallDetectorGivesWhatTheInterpreterSays) {
  if (ops_->find("Slice") == nullptr) GTEST_SKIP() << "no Slice: run `make ops` first";
  const graph::Graph graph = small_detector();
  std::mt19937 random(13);
  const graph::RefTensor x = random_tensor(random, DType::kFloat32, {1, 3, 32, 48}, 1);
  const auto expected = reference::evaluate(graph, {{"x", x}});
  ASSERT_TRUE(expected.ok()) << expected.error().to_string();
  const compile::Compiled chosen = compiled(graph), plain = compiled(graph, false);
  const auto input = reference::to_tensor(x);
  expect_near(run(chosen, {*input}), *expected, graph, 2e-5);
  expect_near(run(plain, {*input}), *expected, graph, 2e-5);
  // Every node is taken by a plugin.
  compile::Options options;
  options.candidates.soc = GetParam();
  options.candidates.fallback = false;
  const auto whole = compile::compile(graph, *ops_, options);
  EXPECT_TRUE(whole.ok()) << whole.error().to_string();
}

// Convolutions in NC1HWC0, one after the other: formats are chosen with the cover, so that nothing
// is turned between them but for the one reader that wants a dense tensor.
TEST_P(Models, FormatsAreChosenWithTheCover) {
  if (ops_->find("ConvBiasLeakyRelu") == nullptr) GTEST_SKIP() << "no such op for this chip";
  const std::string layer = " {pads=[1, 1, 1, 1]}\n";
  auto parsed = graph::parse_text(
      "graph \"formats\" opset 13\ninput x: float32[1, 16, 24, 24]\nc1 = Conv(x, w1, b)" + layer +
      "r1 = LeakyRelu(c1) {alpha=0.125}\nc2 = Conv(r1, w2, b)" + layer +
      "r2 = LeakyRelu(c2) {alpha=0.125}\nc3 = Conv(r2, w3, b)" + layer +
      "y = LeakyRelu(c3) {alpha=0.125}\nz = Sigmoid(r1)\noutput y\noutput z\n");
  ASSERT_TRUE(parsed.ok()) << parsed.error().to_string();
  std::mt19937 random(15);
  for (const char* name : {"w1", "w2", "w3"})
    parsed->add_constant(name, random_tensor(random, DType::kFloat32, {16, 16, 3, 3}, 0.2));
  parsed->add_constant("b", random_tensor(random, DType::kFloat32, {16}, 0.5));
  ASSERT_TRUE(reference::infer(*parsed).ok());
  const graph::RefTensor x = random_tensor(random, DType::kFloat32, {1, 16, 24, 24}, 1);
  const auto expected = reference::evaluate(*parsed, {{"x", x}});
  ASSERT_TRUE(expected.ok()) << expected.error().to_string();
  const compile::Compiled made = compiled(*parsed);
  EXPECT_EQ(made.open_formats, 2u);
  EXPECT_GT(made.saved_turns, 0u);
  EXPECT_EQ(made.cover.chosen.size(), 4u) << compile::explain_text(made);
  std::map<model::StepKind, size_t> steps;
  for (const model::Step& step : made.model().steps) ++steps[step.kind];
  EXPECT_EQ(steps[model::StepKind::kStore], 1u);
  EXPECT_EQ(steps[model::StepKind::kDense], 2u);
  expect_near(run(made, {*reference::to_tensor(x)}), *expected, *parsed, 2e-5);
}

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

TEST_P(Models, NodesAreTakenHoweverTheyAreSpelled) {
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
TEST_P(Models, NodesThatNobodyTakesKeepTheirWords) {
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

// One layer in the manner of BERT: two heads, a shortcut, a feed-forward part.
graph::Graph small_encoder() {
  std::mt19937 random(5);
  const auto parsed = graph::parse_text(
      "graph \"encoder\" opset 17\ninput x: float32[2, 16, 32]\n"
      "const heads: int64[4] = 2, 16, 2, 16\nconst rows: int64[3] = 2, 16, 32\n"
      "const scale: float32[] = 0.25\n"
      "q0 = MatMul(x, wq)\nq1 = Add(q0, b)\nq2 = Reshape(q1, heads)\n"
      "q = Transpose(q2) {perm=[0, 2, 1, 3]}\n"
      "k0 = MatMul(x, wk)\nk1 = Add(k0, b)\nk2 = Reshape(k1, heads)\n"
      "k = Transpose(k2) {perm=[0, 2, 3, 1]}\n"
      "v0 = MatMul(x, wv)\nv1 = Add(v0, b)\nv2 = Reshape(v1, heads)\n"
      "v = Transpose(v2) {perm=[0, 2, 1, 3]}\n"
      "s0 = MatMul(q, k) @\"scores\"\ns1 = Mul(s0, scale)\np = Softmax(s1)\n"
      "c0 = MatMul(p, v) @\"context\"\nc1 = Transpose(c0) {perm=[0, 2, 1, 3]}\n"
      "c = Reshape(c1, rows)\no = MatMul(c, wo)\na = Add(o, x)\n"
      "n = LayerNormalization(a, g, b) @\"norm\"\n"
      "f0 = MatMul(n, w1)\nf1 = Relu(f0)\nf2 = MatMul(f1, w2)\nr = Add(f2, n)\n"
      "y = LayerNormalization(r, g, b) @\"norm2\"\noutput y\n");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  graph::Graph graph = *parsed;
  const auto add = [&](const char* name, Shape shape, double scale) {
    graph.add_constant(name, random_tensor(random, DType::kFloat32, shape, scale));
  };
  for (const char* name : {"wq", "wk", "wv", "wo"}) add(name, {32, 32}, 0.3);
  add("w1", {32, 64}, 0.3);
  add("w2", {64, 32}, 0.3);
  add("b", {32}, 0.5);
  add("g", {32}, 1);
  EXPECT_TRUE(reference::infer(graph).ok());
  return graph;
}

TEST_P(Models, SmallEncoderGivesWhatTheInterpreterSays) {
  const graph::Graph graph = small_encoder();
  std::mt19937 random(6);
  const graph::RefTensor x = random_tensor(random, DType::kFloat32, {2, 16, 32}, 1);
  const auto expected = reference::evaluate(graph, {{"x", x}});
  ASSERT_TRUE(expected.ok()) << expected.error().to_string();
  const compile::Compiled chosen = compiled(graph), plain = compiled(graph, false);
  const auto input = reference::to_tensor(x);
  expect_near(run(chosen, {*input}), *expected, graph, 2e-5);
  expect_near(run(plain, {*input}), *expected, graph, 2e-5);
  fmt::print("{}{}plain: {} us\n", compile::explain_text(chosen), compile::summary_text(chosen),
             static_cast<double>(plain.cover.cost) / 1e3);
}

TEST_P(Models, SmallNetworkComputesInHalfOnDemand) {
  if (ops_->find("CastToFloat16") == nullptr) GTEST_SKIP() << "no Cast ops: run `make ops` first";
  const graph::Graph graph = small_network(3);
  std::mt19937 random(103);
  const graph::RefTensor x = random_tensor(random, DType::kFloat32, {1, 3, 32, 32}, 1);
  const auto expected = reference::evaluate(graph, {{"x", x}});
  ASSERT_TRUE(expected.ok()) << expected.error().to_string();
  compile::Options options;
  options.candidates.soc = GetParam();
  options.candidates.fallback = false;
  options.precision.mode = compile::Precision::kHalf;
  const auto half = compile::compile(graph, *ops_, options);
  ASSERT_TRUE(half.ok()) << half.error().to_string();
  EXPECT_GE(half->changes.converted.size(), 10u);
  EXPECT_TRUE(half->warnings.empty());
  const std::vector<Tensor> outputs = run(*half, {*reference::to_tensor(x)});
  expect_near(outputs, *expected, graph, 1e-2);
  // float16 was at work: the outputs differ from those in float32.
  const std::vector<Tensor> single = run(compiled(graph), {*reference::to_tensor(x)});
  double difference = 0;
  for (int64_t i = 0; i < single[1].elements(); ++i)
    difference = std::max(difference, std::abs(single[1].at(i) - outputs[1].at(i)));
  EXPECT_GT(difference, 1e-5);
}

// MatMul, Add and Sigmoid in one kernel, which is told of another activation than its reference.
TEST_P(Models, BisectionDropsTheFusionThatIsWrong) {
  std::mt19937 random(9);
  graph::Graph graph = *graph::parse_text(
      "graph \"gate\" opset 13\ninput x: float32[8, 16]\nm = MatMul(x, w) @\"product\"\n"
      "a = Add(m, b) @\"sum\"\ny = Sigmoid(a) @\"gate\"\noutput y\n");
  graph.add_constant("w", random_tensor(random, DType::kFloat32, {16, 24}, 0.5));
  graph.add_constant("b", random_tensor(random, DType::kFloat32, {24}, 0.5));
  ASSERT_TRUE(reference::infer(graph).ok());
  compile::Options options;
  options.candidates.soc = GetParam();
  const compile::Compiled made = compiled(graph);
  ASSERT_EQ(made.cover.chosen.size(), 1u) << compile::explain_text(made);
  const auto fine = compile::bisect(made, *ops_, options);
  ASSERT_TRUE(fine.ok()) << fine.error().to_string();
  EXPECT_TRUE(fine->dropped.empty());
  // By itself, on small integers.
  compile::Compiled wrong = made;
  compile::Candidate& candidate = wrong.candidates.all[wrong.cover.chosen[0]];
  auto plan = std::make_shared<CallPlan>(*candidate.plan);
  plan->binding.attrs.at("activation") = std::string("tanh");
  plan->binding.scope.texts.at("activation") = "tanh";
  candidate.plan = plan;
  const auto dropped = compile::bisect(wrong, *ops_, options);
  ASSERT_TRUE(dropped.ok()) << dropped.error().to_string();
  ASSERT_EQ(dropped->dropped.size(), 1u);
  EXPECT_EQ(dropped->dropped[0].id, (compile::FusionId{"MatMulAddActivation", graph.outputs[0]}));
  EXPECT_EQ(dropped->compiled.cover.chosen.size(), 3u);
  EXPECT_THAT(compile::bisection_text(*dropped),
              ::testing::HasSubstr("dropped MatMulAddActivation at 'product+sum+gate': "));
  EXPECT_THAT(compile::explain_text(dropped->compiled),
              ::testing::HasSubstr("MatMulAddActivation declines: switch: dropped"));
  // By what the whole model gives.
  compile::Compiled moved = made;
  moved.schedule.model.steps[0].attrs.at("activation") = std::string("tanh");
  const auto found = compile::bisect(moved, *ops_, options);
  ASSERT_TRUE(found.ok()) << found.error().to_string();
  ASSERT_EQ(found->dropped.size(), 1u);
  EXPECT_THAT(found->dropped[0].why, ::testing::HasSubstr("output 'y' of the chosen cover"));
}

// What fusions are compared with.
TEST_P(Models, SingleNodesTakeEveryNodeByItself) {
  const auto parsed = graph::parse_text(
      "graph \"pair\" opset 13\ninput x: float32[4, 8]\ninput z: float32[4, 8]\n"
      "a = Add(x, z) @\"sum\"\ny = Relu(a) @\"act\"\noutput y\n");
  ASSERT_TRUE(parsed.ok());
  const compile::Compiled made = compiled(*parsed);
  ASSERT_EQ(made.cover.chosen.size(), 1u) << compile::explain_text(made);
  const auto single = compile::single_node_model(made);
  ASSERT_TRUE(single.ok()) << single.error().to_string();
  ASSERT_EQ(single->steps.size(), 2u);
  EXPECT_EQ(single->steps[0].name, "sum");
  EXPECT_EQ(single->steps[1].name, "act");
  for (const model::Step& step : single->steps) EXPECT_EQ(step.kind, model::StepKind::kKernel);
}

// A call whose plan says another slope than the reference is told.
TEST_P(Models, ProofNamesAKernelThatIsWrong) {
  const auto parsed = graph::parse_text(
      "graph \"leaky\" opset 13\ninput x: float32[4, 8]\ny = LeakyRelu(x) {alpha=0.5} @\"act\"\n"
      "output y\n");
  ASSERT_TRUE(parsed.ok());
  compile::Compiled made = compiled(*parsed);
  ASSERT_EQ(made.cover.chosen.size(), 1u);
  EXPECT_TRUE(compile::prove(made, *ops_).ok());
  compile::Compiled other = made;
  compile::Candidate& candidate = other.candidates.all[other.cover.chosen[0]];
  ASSERT_EQ(candidate.taker, compile::Taker::kPlugin);
  auto plan = std::make_shared<CallPlan>(*candidate.plan);
  for (auto& [name, value] : plan->binding.attrs) value = 0.25;
  candidate.plan = plan;
  const auto wrong = compile::prove(other, *ops_);
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.error().to_string(),
              ::testing::HasSubstr("OPK-PROOF-001: LeakyRelu: LeakyRelu does not compute its "
                                   "reference at the shapes of 'act': element"));
  for (auto& [name, value] : made.schedule.model.steps[0].attrs) value = 0.25;
  const auto differs = compile::prove(made, *ops_);
  ASSERT_FALSE(differs.ok());
  EXPECT_THAT(differs.error().to_string(),
              ::testing::HasSubstr("OPK-PROOF-003: output 'y' of single nodes differs"));
}

// What the file says counts, not what the rewrites made of it.
TEST_P(Models, ProofComparesWithTheFile) {
  const auto parsed = graph::parse_text(
      "graph \"old\" opset 9\ninput x: float32[4, 8]\n"
      "y = Clip(x) {min=-0.25, max=0.5} @\"act\"\noutput y\n");
  ASSERT_TRUE(parsed.ok());
  compile::Compiled made = compiled(*parsed);
  const auto fine = compile::prove(made, *ops_);
  ASSERT_TRUE(fine.ok()) << fine.error().to_string();
  EXPECT_LT(fine->file, 1e-6);
  EXPECT_THAT(compile::covers_text(*fine),
              ::testing::HasSubstr("checked: against the model in the file (opset 9)"));
  made.before.nodes[0].attributes["max"] = 0.75;
  const auto differs = compile::prove(made, *ops_);
  ASSERT_FALSE(differs.ok());
  EXPECT_THAT(differs.error().to_string(),
              ::testing::HasSubstr("OPK-PROOF-003: output 'y' of single nodes differs from the "
                                   "model in the file (opset 9)"));
}

// Attention and a normalization in float16 beside what they are in double.
TEST_P(Models, ProofIsFairToHalves) {
  const std::string models[] = {
      "input x: float32[1, 2, 64, 32]\nconst c: float32[] = 0.17677669\n"
      "t = Transpose(x) {perm=[0, 1, 3, 2]}\ns = MatMul(x, t)\nu = Mul(s, c)\n"
      "p = Softmax(u) {axis=-1}\ny = MatMul(p, x)\noutput y\n",
      "input x: float32[4, 64]\nconst two: float32[] = 2\nconst e: float32[] = 0.00001\n"
      "m = ReduceMean(x) {axes=[-1]}\nd = Sub(x, m)\nq = Pow(d, two)\n"
      "v = ReduceMean(q) {axes=[-1]}\nw = Add(v, e)\nr = Sqrt(w)\ny = Div(d, r)\noutput y\n",
      "input x: float32[4, 64]\ns = Sigmoid(x)\ny = Mul(x, s)\noutput y\n"};
  for (const std::string& text : models) {
    compile::Options options;
    options.candidates.soc = GetParam();
    options.precision.mode = compile::Precision::kHalf;
    const auto made =
        compile::compile(*graph::parse_text("graph \"m\" opset 13\n" + text), *ops_, options);
    ASSERT_TRUE(made.ok()) << made.error().to_string();
    const auto proof = compile::prove(*made, *ops_);
    ASSERT_TRUE(proof.ok()) << proof.error().to_string() << text;
    EXPECT_TRUE(proof->warnings.empty());
  }
}

TEST_P(Models, ProofNamesNodesThatOverflow) {
  compile::Options options;
  options.candidates.soc = GetParam();
  options.precision.mode = compile::Precision::kHalf;
  const auto made =
      compile::compile(*graph::parse_text("graph \"m\" opset 13\ninput x: float32[4, 64]\n"
                                          "const c: float32[] = 40000\na = Mul(x, c) @\"large\"\n"
                                          "b = Add(a, a)\ny = Mul(b, b) @\"beyond\"\noutput y\n"),
                       *ops_, options);
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  const auto proof = compile::prove(*made, *ops_);
  ASSERT_TRUE(proof.ok()) << proof.error().to_string();
  std::string warnings;
  for (const Error& one : proof->warnings) warnings += one.to_string();
  EXPECT_THAT(warnings, ::testing::HasSubstr("OPK-ATC-003"));
  EXPECT_THAT(warnings, ::testing::HasSubstr("'beyond' computes in float16"));
}

TEST_P(Models, InfinitiesAreTold) {
  const compile::Compiled made =
      compiled(*graph::parse_text("graph \"m\" opset 13\ninput x: float32[4, 8]\ny = Log(x)\nz = "
                                  "Exp(x)\noutput y\noutput z\n"));
  const auto proof = compile::prove(made, *ops_);
  ASSERT_TRUE(proof.ok()) << proof.error().to_string();
  ASSERT_EQ(proof->warnings.size(), 1u);
  EXPECT_THAT(proof->warnings[0].to_string(),
              ::testing::HasSubstr("OPK-PROOF-004: output 'y' holds NaN or infinities in "));
}

// --- stored networks
// ------------------------------------------------------------------------------

fs::path folder_of_models() {
  const char* stated = std::getenv("OPKIT_MODELS");
  return stated != nullptr ? stated : "";
}

// The input that the models' authors used: 0, 1/n, 2/n, ...
Tensor ramp(const TensorDesc& desc) {
  Tensor tensor(desc.dtype, desc.shape, desc.name);
  const auto n = static_cast<float>(tensor.elements());
  for (int64_t i = 0; i < tensor.elements(); ++i) tensor.set(i, static_cast<float>(i) / n);
  return tensor;
}

TEST_P(Models, StoredNetworksGiveTheirExpectedOutputs) {
  size_t models = 0;
  for (const char* name :
       {"bvlc_alexnet", "inception_v1", "resnet50", "shufflenet", "squeezenet"}) {
    const fs::path model = folder_of_models() / fmt::format("light_{}.onnx", name);
    if (folder_of_models().empty() || !fs::exists(model)) continue;
    auto graph = onnx_frontend::import_file(model);
    ASSERT_TRUE(graph.ok()) << graph.error().to_string();
    const compile::Compiled made = compiled(std::move(*graph));
    const model::OfflineModel& offline = made.model();
    const auto outputs = run(made, {ramp(offline.tensors[offline.inputs[0]].desc)});
    const auto bytes = read_file(folder_of_models() / fmt::format("light_{}_output_0.pb", name));
    ASSERT_TRUE(bytes.ok());
    const auto expected = onnx_frontend::read_tensor(*bytes);
    ASSERT_TRUE(expected.ok());
    for (int64_t i = 0; i < outputs[0].elements(); ++i)
      ASSERT_NEAR(outputs[0].at(i), expected->second[i],
                  1e-3 * std::abs(expected->second[i]) + 1e-7);
    fmt::print("{}\n", compile::summary_text(made));
    ++models;
  }
  if (models == 0) GTEST_SKIP() << "OPKIT_MODELS names no folder with light_*.onnx";
}

// Every row of a batch is what the network gives for one image.
TEST_P(Models, StoredResNetTakesSeveralBatches) {
  const fs::path file = folder_of_models() / "light_resnet50.onnx";
  if (folder_of_models().empty() || !fs::exists(file))
    GTEST_SKIP() << "OPKIT_MODELS names no folder with light_resnet50.onnx";
  const std::string open = models::with_open_batch(read_file(file).value());
  const std::vector<int64_t> batches = {1, 2, 4};
  model::GearJoin join(model::GearKind::kBatch);
  for (const int64_t batch : batches) {
    onnx_frontend::ImportOptions options;
    options.input_shapes = {{"gpu_0/data_0", {batch, 3, 224, 224}}};
    auto graph = onnx_frontend::import_model(open, options);
    ASSERT_TRUE(graph.ok()) << graph.error().to_string();
    join.add({batch}, compiled(std::move(*graph)).model());
  }
  auto runner =
      model_run::ModelRunner::load(model::decode(model::encode(join.take())).value(), *ops_, 1);
  ASSERT_TRUE(runner.ok()) << runner.error().to_string();
  const auto expected = onnx_frontend::read_tensor(
      read_file(folder_of_models() / "light_resnet50_output_0.pb").value());
  ASSERT_TRUE(expected.ok());
  const Tensor image = ramp({"x", DType::kFloat32, {1, 3, 224, 224}, Format::kND});
  for (const int64_t batch : batches) {
    Tensor x(DType::kFloat32, {batch, 3, 224, 224}, "x");
    for (int64_t i = 0; i < x.elements(); ++i) x.set(i, image.at(i % image.elements()));
    const auto outputs = runner->run({x});
    ASSERT_TRUE(outputs.ok()) << outputs.error().to_string();
    const Tensor& y = (*outputs)[0];
    const int64_t row = expected->second.elements();
    ASSERT_EQ(y.elements(), batch * row);
    for (int64_t i = 0; i < y.elements(); ++i) {
      const double wanted = expected->second[i % row];
      ASSERT_NEAR(y.at(i), wanted, 1e-3 * std::abs(wanted) + 1e-7) << batch << " " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, Models, ::testing::Values("Ascend910B1", "Ascend310B1"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace opkit
