// Models through the whole way: import, cover, offline model, run; judged by the reference
// interpreter on the graph as it was imported. With the packages of ASCEND_OPP_PATH, else those
// that `make ops` installed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "model_test.h"
#include "opkit/atc/compile/proof.h"
#include "opkit/atc/compile/report.h"
#include "opkit/model/file/gears.h"
#include "opkit/reference/infer.h"
#include "tests/graph_text/parse_text.h"

namespace opkit {
namespace {

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
  constexpr size_t kLayers = 6;  // enough of them to pay for turning the ends
  std::string text = "graph \"formats\" opset 13\ninput r0: float32[1, 64, 28, 28]\n";
  for (size_t i = 1; i <= kLayers; ++i) {
    const std::string n = std::to_string(i);
    text += "c" + n + " = Conv(r" + std::to_string(i - 1) + ", w" + n + ", b)" + layer + "r" + n +
            " = LeakyRelu(c" + n + ") {alpha=0.125}\n";
  }
  auto parsed = graph::parse_text(text + "z = Sigmoid(r3)\noutput r6\noutput z\n");
  ASSERT_TRUE(parsed.ok()) << parsed.error().to_string();
  std::mt19937 random(15);
  for (size_t i = 1; i <= kLayers; ++i)
    parsed->add_constant("w" + std::to_string(i),
                         random_tensor(random, DType::kFloat32, {64, 64, 3, 3}, 0.1));
  parsed->add_constant("b", random_tensor(random, DType::kFloat32, {64}, 0.5));
  ASSERT_TRUE(reference::infer(*parsed).ok());
  const graph::RefTensor x = random_tensor(random, DType::kFloat32, {1, 64, 28, 28}, 1);
  const auto expected = reference::evaluate(*parsed, {{"r0", x}});
  ASSERT_TRUE(expected.ok()) << expected.error().to_string();
  const compile::Compiled made = compiled(*parsed);
  EXPECT_EQ(made.open_formats, kLayers - 1);
  EXPECT_GT(made.saved_turns, 0u);
  EXPECT_EQ(made.cover.chosen.size(), kLayers + 1) << compile::explain_text(made);
  std::map<model::StepKind, size_t> steps;
  for (const model::Step& step : made.model().steps) ++steps[step.kind];
  EXPECT_EQ(steps[model::StepKind::kStore], 1u);
  EXPECT_EQ(steps[model::StepKind::kDense], 2u);
  expect_near(run(made, {*reference::to_tensor(x)}), *expected, *parsed, 2e-5);
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
  options.precision.mode = compile::PrecisionMode::kHalf;
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

INSTANTIATE_TEST_SUITE_P(Chips, Models, ::testing::Values("Ascend910B1", "Ascend310B1"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace opkit
