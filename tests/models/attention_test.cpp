// Attention as exporters write it becomes FlashAttention, and what is nearly attention does not.
// With the packages of ASCEND_OPP_PATH, else those that `make ops` installed.
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

constexpr const char* kOp = "FlashAttention";

class Attentions : public ModelTest {
 protected:
  void SetUp() override {
    ModelTest::SetUp();
    if (ops_ && ops_->find(kOp) == nullptr) GTEST_SKIP() << "run `make ops` first";
  }

  graph::Graph parsed(const std::string& text) {
    auto graph = graph::parse_text("graph \"g\" opset 17\n" + text + "output y\n");
    EXPECT_TRUE(graph.ok()) << text << graph.error().to_string();
    const auto inferred = reference::infer(*graph);
    EXPECT_TRUE(inferred.ok()) << text << inferred.error().to_string();
    return std::move(graph).value();
  }

  compile::Compiled whole(const graph::Graph& graph) {
    compile::Options options;
    options.candidates.soc = GetParam();
    auto made = compile::compile(graph, *ops_, options);
    EXPECT_TRUE(made.ok()) << made.error().to_string();
    return std::move(made).value();
  }

  static bool is_candidate(const compile::Compiled& made) {
    return std::any_of(made.candidates.all.begin(), made.candidates.all.end(),
                       [](const compile::Candidate& candidate) { return candidate.name() == kOp; });
  }

  // What the chosen cover computes, beside the interpreter.
  void expect_right(const compile::Compiled& made, const graph::Graph& graph) {
    std::mt19937 random(3);
    reference::NamedTensors inputs;
    std::vector<Tensor> given;
    double share = 2e-5;
    for (const std::string& name : graph.inputs) {
      const graph::ValueInfo& value = graph.values.at(name);
      const graph::RefTensor tensor = random_tensor(random, value.dtype, *value.shape, 1);
      if (value.dtype == DType::kFloat16) share = 4e-3;
      given.push_back(*reference::to_tensor(tensor));
      inputs.emplace(name, tensor);
    }
    const auto expected = reference::evaluate(graph, inputs);
    ASSERT_TRUE(expected.ok()) << expected.error().to_string();
    expect_near(run(made, given), *expected, graph, share);
  }
};

// Numbers of a mask in which a query sees itself and the keys before it.
std::string causal(int rows, int columns, const char* seen, const char* hidden) {
  std::string numbers;
  for (int i = 0; i < rows * columns; ++i) {
    numbers += i == 0 ? "" : ", ";
    numbers += i % columns <= i / columns + columns - rows ? seen : hidden;
  }
  return numbers;
}

const std::string kHeads =
    "input q: float32[2, 4, 8, 16]\ninput k: float32[2, 4, 10, 16]\ninput v: float32[2, 4, 10, "
    "16]\n"
    "const s: float32[] = 0.25\nconst root: float32[] = 0.5\n";
const std::string kScores = "t = Transpose(k) {perm=[0, 1, 3, 2]}\np = MatMul(q, t)\n";
const std::string kEnd = "w = Softmax(c) {axis=-1}\ny = MatMul(w, v)\n";
const std::string kSharing =
    "input q: float32[2, 6, 8, 16]\ninput k: float32[2, 2, 10, 16]\ninput v: float32[2, 2, 10, "
    "16]\n"
    "const s: float32[] = 0.25\nconst one: int64[1] = 2\nconst all: int64[5] = 2, 2, 3, 10, 16\n"
    "const heads: int64[4] = 2, 6, 10, 16\n";
const std::string kRepeated =
    "ku = Unsqueeze(k, one)\nke = Expand(ku, all)\nkr = Reshape(ke, heads)\n"
    "vu = Unsqueeze(v, one)\nve = Expand(vu, all)\nvr = Reshape(ve, heads)\n";

std::vector<std::string> attentions() {
  const std::string masks[] = {
      "input m: float32[2, 1, 1, 10]\n",
      "input m: float32[2, 1, 8, 10]\n",
      "input m: float32[1, 1, 8, 10]\n",
      "input m: float32[1, 4, 8, 10]\n",
      "input m: float32[2, 4, 1, 10]\n",
      "input m: float32[4, 8, 10]\n",
      "input m: float32[8, 10]\n",
      "input m: float32[1, 10]\n",
      "const m: float32[1] = -2\n",
      "const m: float32[8, 10] = " + causal(8, 10, "0", "-inf") + "\n",
      "const m: float32[1, 1, 8, 10] = " + causal(8, 10, "0", "-10000") + "\n"};
  std::vector<std::string> all;
  for (const std::string& mask : masks) {
    all.push_back(kHeads + mask + kScores + "u = Mul(p, s)\nc = Add(u, m)\n" + kEnd);
    all.push_back(kHeads + mask + kScores + "c = Add(m, p)\n" + kEnd);
  }
  const std::string bools = "[1, 1, 8, 10] = " + causal(8, 10, "1", "0") + "\n";
  all.push_back(kHeads + "const b: bool" + bools + "const low: float32[] = -inf\n" + kScores +
                "u = Mul(p, s)\nc = Where(b, u, low)\n" + kEnd);
  // Factors on both sides, as PyTorch's scaled_dot_product_attention is exported.
  all.push_back(kHeads + "input m: float32[2, 1, 8, 10]\na = Mul(q, root)\n" +
                "t = Transpose(k) {perm=[0, 1, 3, 2]}\nb = Mul(t, root)\np = MatMul(a, b)\n"
                "c = Add(p, m)\n" +
                kEnd);
  // Heads of keys that heads of queries share.
  const std::string shared =
      "t = Transpose(kr) {perm=[0, 1, 3, 2]}\np = MatMul(q, t)\nu = Mul(p, s)\n";
  const std::string end = "w = Softmax(c) {axis=-1}\ny = MatMul(w, vr)\n";
  all.push_back(kSharing + kRepeated + shared + "c = Identity(u)\n" + end);
  for (const char* mask : {"2, 1, 8, 10", "2, 6, 1, 10", "8, 10"})
    all.push_back(kSharing + "input m: float32[" + mask + "]\n" + kRepeated + shared +
                  "c = Add(u, m)\n" + end);
  return all;
}

TEST_P(Attentions, AreTakenHoweverTheyAreWritten) {
  for (const std::string& text : attentions()) {
    const graph::Graph graph = parsed(text);
    const compile::Compiled made = whole(graph);
    EXPECT_TRUE(is_candidate(made)) << text << compile::explain_text(made);
    expect_right(made, graph);
  }
}

// Halves whose Softmax is computed in float32.
TEST_P(Attentions, AreTakenWithASoftmaxOfFloats) {
  const graph::Graph graph = parsed(
      "input q: float16[2, 4, 8, 16]\ninput k: float16[2, 4, 10, 16]\n"
      "input v: float16[2, 4, 10, 16]\ninput m: float16[2, 1, 8, 10]\nconst s: float16[] = 0.25\n"
      "t = Transpose(k) {perm=[0, 1, 3, 2]}\np = MatMul(q, t)\nu = Mul(p, s)\nc = Add(u, m)\n"
      "d = Cast(c) {to=1}\nw = Softmax(d) {axis=-1}\nh = Cast(w) {to=10}\ny = MatMul(h, v)\n");
  const compile::Compiled made = whole(graph);
  EXPECT_TRUE(is_candidate(made)) << compile::explain_text(made);
  expect_right(made, graph);
}

TEST_P(Attentions, AreNoNearMisses) {
  const std::string bools = "const b: bool[8, 10] = " + causal(8, 10, "1", "0") + "\n";
  const std::string choice = kScores + "u = Mul(p, s)\nc = Where(b, u, low)\n" + kEnd;
  const std::string misses[] = {
      // What is chosen is not next to nothing.
      kHeads + bools + "const low: float32[] = -5\n" + choice,
      kHeads + bools + "const low: float32[] = 100000\n" + choice,
      // A query that sees nothing.
      kHeads + "const b: bool[8, 10] = " + causal(8, 10, "0", "0") +
          "\nconst low: float32[] = -10000\n" + choice,
      // Data decide.
      kHeads + "input f: float32[8, 10]\nconst low: float32[] = -10000\nb = Cast(f) {to=9}\n" +
          choice,
      // Numbers for each key that are not added, along another axis, by a negative factor.
      kHeads + "input m: float32[2, 1, 8, 10]\n" + kScores + "c = Sub(m, p)\n" + kEnd,
      kHeads + kScores + "c = Mul(p, s)\nw = Softmax(c) {axis=2}\ny = MatMul(w, v)\n",
      kHeads + "const n: float32[] = -0.25\n" + kScores + "c = Mul(p, n)\n" + kEnd,
      // Two masks.
      kHeads + "input m: float32[2, 1, 8, 10]\ninput n: float32[8, 10]\n" + kScores +
          "u = Add(p, m)\nc = Add(u, n)\n" + kEnd,
      // Scores and weights that somebody else reads.
      kHeads + kScores + "c = Mul(p, s)\n" + kEnd + "output c\n",
      kHeads + kScores + "c = Mul(p, s)\n" + kEnd + "output w\n",
  };
  for (const std::string& text : misses) {
    const graph::Graph graph = parsed(text);
    const compile::Compiled made = whole(graph);
    EXPECT_FALSE(is_candidate(made)) << text;
    expect_right(made, graph);
  }
}

// Heads that are repeated in another order are no shared ones: all of them are read.
TEST_P(Attentions, ReadHeadsOfAnotherOrder) {
  const std::string groups =
      "t = Transpose(kr) {perm=[0, 1, 3, 2]}\np = MatMul(q, t)\nc = Mul(p, s)\n"
      "w = Softmax(c) {axis=-1}\ny = MatMul(w, vr)\n";
  const std::string turned =
      "const one: int64[1] = 1\nconst all: int64[5] = 2, 3, 2, 10, 16\nconst s: float32[] = 0.25\n"
      "const heads: int64[4] = 2, 6, 10, 16\ninput q: float32[2, 6, 8, 16]\n"
      "input k: float32[2, 2, 10, 16]\ninput v: float32[2, 2, 10, 16]\n";
  const graph::Graph graph = parsed(turned + kRepeated + groups);
  const compile::Compiled made = whole(graph);
  expect_right(made, graph);
  EXPECT_THAT(graph::to_text(made.graph), testing::HasSubstr("Expand("));
}

INSTANTIATE_TEST_SUITE_P(Chips, Attentions, ::testing::Values("Ascend910B1", "Ascend310B1"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace opkit
