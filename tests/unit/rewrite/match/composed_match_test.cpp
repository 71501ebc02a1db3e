// Spellings of attention, SwiGLU and norms beside the shipped ops, and near misses of each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "opkit/reference/evaluate.h"
#include "opkit/reference/infer.h"
#include "opkit/rewrite/match/match.h"
#include "opkit/rewrite/passes/attention.h"
#include "opkit/rewrite/passes/rewrite.h"
#include "opkit/rewrite/passes/rewrites.h"
#include "opkit/rewrite/passes/whole_operators.h"
#include "opkit_test_paths.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::match {
namespace {

using Texts = std::vector<std::string>;

const OpContract& shipped(const std::string& file) {
  static std::map<std::string, OpContract> known;
  const auto found = known.find(file);
  if (found != known.end()) return found->second;
  auto contract = OpContract::load(std::filesystem::path(OPKIT_SOURCE_DIR) / "ops" / file);
  EXPECT_TRUE(contract.ok()) << file;
  return known.emplace(file, std::move(contract).value()).first->second;
}

const OpContract& attention() { return shipped("fused/flash_attention/op_contract.yaml"); }
const OpContract& swiglu() { return shipped("fused/swi_glu/op_contract.yaml"); }
const OpContract& rms_norm() { return shipped("fused/rms_norm/op_contract.yaml"); }

graph::RefTensor drawn(const graph::ValueInfo& value, int seed) {
  graph::RefTensor tensor{value.dtype, *value.shape, {}};
  for (int64_t i = 0; i < value.shape->elements(); ++i)
    tensor.values.push_back(std::sin(static_cast<double>(i * 7 + seed)));
  if (value.dtype == DType::kBool)
    for (double& one : tensor.values) one = one > 0 ? 1 : 0;
  return tensor;
}

void expect_same(const graph::Graph& a, const graph::Graph& b) {
  reference::NamedTensors inputs;
  int seed = 0;
  for (const std::string& input : a.inputs) inputs[input] = drawn(a.values.at(input), ++seed);
  const auto expected = reference::evaluate(a, inputs), got = reference::evaluate(b, inputs);
  ASSERT_TRUE(expected.ok() && got.ok()) << to_text(b);
  for (const auto& [name, tensor] : *expected) {
    for (int64_t i = 0; i < tensor.elements(); ++i)
      ASSERT_NEAR(tensor[i], got->at(name)[i], 1e-6) << name << " " << i << to_text(b);
  }
}

// Everything that the op takes in the graph and in whole operators, whose values stay the same.
std::vector<Match> taken(const std::string& text, const OpContract& op) {
  auto graph = graph::parse_text(text);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  if (!graph.ok()) return {};
  const graph::Graph before = *graph;
  EXPECT_TRUE(passes::canonicalize(*graph).ok()) << text;
  if (passes::lift_attentions(*graph) > 0) {
    EXPECT_TRUE(graph::sort_nodes(*graph).ok());
    EXPECT_TRUE(passes::remove_dead_code(*graph).ok());
    EXPECT_TRUE(reference::infer(*graph).ok()) << to_text(*graph);
  }
  auto form = passes::whole_operators(*graph);
  EXPECT_TRUE(form.ok()) << text << form.error().to_string();
  std::vector<Match> matches = Matcher(*graph).find(op).matches;
  if (!form.ok() || form->nodes.empty()) return matches;
  expect_same(before, *form);
  for (const Match& match : Matcher(*form).find(op).matches) matches.push_back(match);
  return matches;
}

void expect_taken(const std::string& begin, const Texts& texts, const OpContract& op) {
  for (const std::string& text : texts) EXPECT_EQ(taken(begin + text, op).size(), 1u) << text;
}
void expect_missed(const std::string& begin, const Texts& texts, const OpContract& op) {
  for (const std::string& text : texts) EXPECT_TRUE(taken(begin + text, op).empty()) << text;
}

const std::string kHeads =
    "input q: float32[2, 3, 5, 4]\ninput k: float32[2, 3, 7, 4]\ninput v: float32[2, 3, 7, 6]\n"
    "input lines: float32[2, 7, 3, 4]\ninput bias: float32[5, 7]\n"
    "const c: float32[] = 0.25\nconst d: float32[] = 4\nconst h: float32[] = 0.5\n"
    "const row: float32[1, 1, 1, 7] = 0, 0, 0, -1, 0, 0, -1000\n";
const std::string kTurned = "t = Transpose(k) {perm=[0, 1, 3, 2]}\n";
const std::string kSums = "w = Softmax(s) {axis=-1}\ny = MatMul(w, v)\noutput y\n";

TEST(ComposedMatch, AttentionWhereverItsFactorStands) {
  expect_taken(
      kHeads,
      {kTurned + "p = MatMul(q, t)\ns = Mul(p, c)\n" + kSums,
       kTurned + "p = MatMul(q, t)\ns = Mul(c, p)\n" + kSums,
       kTurned + "p = MatMul(q, t)\ns = Div(p, d)\n" + kSums,
       kTurned + "u = Mul(q, c)\ns = MatMul(u, t)\n" + kSums,
       kTurned + "u = Div(q, d)\ns = MatMul(u, t)\n" + kSums,
       kTurned + "u = Mul(q, h)\nx = Mul(t, h)\ns = MatMul(u, x)\n" + kSums,
       "x = Mul(k, h)\nu = Mul(q, h)\nt = Transpose(x) {perm=[0, 1, 3, 2]}\n"
       "s = MatMul(u, t)\n" +
           kSums,
       kTurned + "p = MatMul(q, t)\na = Mul(p, c)\ns = Add(a, bias)\n" + kSums,
       kTurned + "u = Mul(q, c)\np = MatMul(u, t)\ns = Add(bias, p)\n" + kSums,
       kTurned + "p = MatMul(q, t)\na = Div(p, d)\ns = Add(a, row)\n" + kSums,
       kTurned + "p = MatMul(q, t)\ns = Mul(p, c)\nw = Softmax(s) {axis=3}\n"
                 "e = Dropout(w)\ny = MatMul(e, v)\noutput y\n",
       kTurned + "s = MatMul(q, t)\n" + kSums,
       // Keys that one Transpose turns and brings in front of their heads.
       "t = Transpose(lines) {perm=[0, 2, 3, 1]}\np = MatMul(q, t)\ns = Mul(p, c)\n" + kSums},
      attention());
}

TEST(ComposedMatch, AttentionOfThreeDims) {
  const std::string begin =
      "input q: float32[6, 5, 4]\ninput k: float32[6, 7, 4]\ninput v: float32[6, 7, 3]\n"
      "input lines: float32[7, 6, 4]\ninput bias: float32[5, 7]\nconst c: float32[] = 0.5\n";
  const std::string turned = "t = Transpose(k) {perm=[0, 2, 1]}\n";
  expect_taken(begin,
               {turned + "p = MatMul(q, t)\ns = Mul(p, c)\n" + kSums,
                turned + "u = Mul(q, c)\ns = MatMul(u, t)\n" + kSums,
                turned + "u = Mul(q, c)\np = MatMul(u, t)\ns = Add(p, bias)\n" + kSums,
                "t = Transpose(lines) {perm=[1, 2, 0]}\nu = Mul(q, c)\ns = MatMul(u, t)\n" + kSums},
               attention());
}

// As BART and OPT write it: heads of three dims, which a mask sees as batches of heads.
TEST(ComposedMatch, AttentionOfThreeDimsWithMasksOfFour) {
  const std::string begin =
      "input q: float32[6, 5, 4]\ninput k: float32[6, 7, 4]\ninput v: float32[6, 7, 3]\n"
      "input mask: float32[2, 1, 5, 7]\ninput seen: bool[1, 3, 5, 7]\nconst c: float32[] = 0.5\n"
      "const four: int64[4] = 2, 3, 5, 7\nconst flat: int64[3] = 6, 5, 7\n"
      "const lowest: float32[] = -3.4028234663852886e38\n"
      "t = Transpose(k) {perm=[0, 2, 1]}\nu = Mul(q, c)\np = MatMul(u, t)\n"
      "r = Reshape(p, four)\n";
  const std::string end = "s = Reshape(a, flat)\n" + kSums;
  expect_taken(begin,
               {"a = Add(r, mask)\n" + end, "m = Add(mask, r)\na = Max(m, lowest)\n" + end,
                "a = Where(seen, r, lowest)\n" + end,
                "a = Add(r, mask)\nf = Reshape(a, flat)\nw = Softmax(f) {axis=-1}\n"
                "d = Reshape(w, four)\ne = Reshape(d, flat)\ny = MatMul(e, v)\noutput y\n"},
               attention());
  expect_missed(begin,
                {// Heads and rows change places on the way.
                 "const other: int64[4] = 3, 2, 5, 7\nx = Reshape(p, other)\n"
                 "n = Transpose(x) {perm=[1, 0, 2, 3]}\na = Add(n, mask)\n" +
                     end,
                 "const deep: int64[4] = 6, 1, 5, 7\ninput own: float32[1, 1, 1, 1]\n"
                 "x = Reshape(p, deep)\na = Add(x, own)\n" +
                     end},
                attention());
}

TEST(ComposedMatch, AttentionWhoseMaskDataChoose) {
  const std::string begin =
      kHeads +
      "input seen: bool[2, 1, 5, 7]\ninput rows: bool[5, 1]\ninput offsets: float32[2, 3, 5, 7]\n"
      "const lowest: float32[] = -3.4028234663852886e38\nconst low: float32[1] = -10000\n" +
      kTurned + "p = MatMul(q, t)\na = Mul(p, c)\n";
  expect_taken(begin,
               {"s = Where(seen, a, lowest)\n" + kSums, "s = Where(seen, lowest, a)\n" + kSums,
                "n = Not(seen)\ns = Where(n, lowest, a)\n" + kSums,
                "m = Add(a, offsets)\ns = Max(lowest, m)\n" + kSums,
                "m = Add(offsets, a)\ns = Max(m, lowest)\n" + kSums},
               attention());
  expect_missed(
      begin,
      {// A number that leaves something of a score, where a row is hidden whole.
       "s = Where(seen, a, low)\n" + kSums, "m = Add(a, offsets)\ns = Max(m, low)\n" + kSums,
       // The condition has no number for each column; scores are raised, not sums.
       "s = Where(rows, a, lowest)\n" + kSums, "s = Max(a, lowest)\n" + kSums},
      attention());
}

TEST(ComposedMatch, ChoicesAlikeAreOneMask) {
  auto graph = graph::parse_text(
      "input q: float32[1, 2, 3, 4]\ninput k: float32[1, 2, 3, 4]\ninput seen: bool[1, 1, 3, 3]\n"
      "const lowest: float32[] = -3.4028234663852886e38\n"
      "t = Transpose(k) {perm=[0, 1, 3, 2]}\na = MatMul(q, t)\nb = Where(seen, a, lowest)\n"
      "w = Softmax(b) {axis=-1}\nx = MatMul(w, k)\nd = MatMul(x, t)\n"
      "e = Where(seen, d, lowest)\nf = Softmax(e) {axis=-1}\ny = MatMul(f, q)\noutput y\n");
  ASSERT_TRUE(graph.ok());
  ASSERT_TRUE(reference::infer(*graph).ok());
  EXPECT_EQ(passes::add_choices(*graph), 2u);
  EXPECT_EQ(std::count_if(graph->nodes.begin(), graph->nodes.end(),
                          [](const graph::Node& node) { return node.op_type == "Where"; }),
            1);
}

TEST(ComposedMatch, AttentionIsNothingElse) {
  expect_missed(kHeads,
                {// The factor meets the mask, too.
                 kTurned + "p = MatMul(q, t)\na = Add(p, bias)\ns = Mul(a, c)\n" + kSums,
                 kTurned + "p = MatMul(q, t)\ns = Mul(p, c)\nw = Softmax(s) {axis=2}\n"
                           "y = MatMul(w, v)\noutput y\n",
                 // A factor for each key.
                 kTurned + "p = MatMul(q, t)\ns = Mul(p, row)\n" + kSums,
                 kTurned + "p = MatMul(q, t)\ns = Sub(p, bias)\n" + kSums,
                 kTurned + "p = MatMul(q, t)\ns = Tanh(p)\n" + kSums,
                 // Weights that others see, scores of another product.
                 kTurned + "p = MatMul(q, t)\ns = Mul(p, c)\nw = Softmax(s) {axis=3}\n"
                           "y = MatMul(w, v)\noutput y\noutput w\n",
                 kTurned + "p = MatMul(q, t)\nn = Neg(p)\ns = Mul(n, c)\n" + kSums},
                attention());
}

const std::string kRows =
    "input x: float32[3, 8]\nconst zero: int64[1] = 0\nconst four: int64[1] = 4\n"
    "const three: int64[1] = 3\nconst eight: int64[1] = 8\nconst far: int64[1] = 100000\n"
    "const last: int64[1] = -1\nconst first: int64[1] = 0\n";
const std::string kHalves = "a = Slice(x, zero, four, last)\nb = Slice(x, four, far, last)\n";

TEST(ComposedMatch, SwiGluBySliceAndBySplit) {
  const Texts halves = {kHalves,
                        "b = Slice(x, four, eight, last)\na = Slice(x, zero, four, last)\n",
                        "a, b = Split(x) {axis=-1, num_outputs=2}\n",
                        "const sizes: int64[2] = 4, 4\na, b = Split(x, sizes) {axis=1}\n"};
  const Texts gates = {"g = Sigmoid(a)\ns = Mul(a, g)\ny = Mul(s, b)\noutput y\n",
                       "g = Sigmoid(a)\ns = Mul(g, a)\ny = Mul(b, s)\noutput y\n",
                       "g = Sigmoid(a)\np = Mul(a, b)\ny = Mul(p, g)\noutput y\n",
                       "g = Sigmoid(a)\np = Mul(g, b)\ny = Mul(a, p)\noutput y\n"};
  for (const std::string& half : halves) {
    for (const std::string& gate : gates)
      EXPECT_FALSE(taken(kRows + half + gate, swiglu()).empty()) << half << gate;
  }
}

TEST(ComposedMatch, SwiGluIsNothingElse) {
  const std::string end = "g = Sigmoid(a)\ns = Mul(a, g)\ny = Mul(s, b)\noutput y\n";
  expect_missed(kRows,
                {"b = Slice(x, zero, four, last)\na = Slice(x, four, eight, last)\n" + end,
                 "a = Slice(x, zero, four, last)\nb = Slice(x, three, eight, last)\n"
                 "c = Slice(b, zero, four, last)\ng = Sigmoid(a)\ns = Mul(a, g)\n"
                 "y = Mul(s, c)\noutput y\n",
                 kHalves + "g = Sigmoid(b)\ns = Mul(a, g)\ny = Mul(s, b)\noutput y\n",
                 kHalves + "g = Tanh(a)\ns = Mul(a, g)\ny = Mul(s, b)\noutput y\n",
                 kHalves + "g = Sigmoid(a)\ns = Mul(a, g)\ny = Add(s, b)\noutput y\n",
                 "input k: float32[8, 8]\na = Slice(k, zero, four, first)\n"
                 "b = Slice(k, four, eight, first)\n" +
                     end},
                swiglu());
}

TEST(ComposedMatch, RmsNormWithAndWithoutScale) {
  const std::string begin =
      "input x: float32[3, 8]\nconst e: float32[] = 0.000001\nconst two: float32[] = 2\n"
      "const down: float32[] = -0.5\nconst g: float32[8] = 1, 2, 3, 4, 5, 6, 7, 8\n";
  const Texts squares = {"q = Mul(x, x)\n", "q = Pow(x, two)\n"};
  const std::string mean = "m = ReduceMean(q) {axes=[-1]}\na = Add(m, e)\n";
  const Texts normals = {"r = Sqrt(a)\nn = Div(x, r)\n",
                         "r = Sqrt(a)\ni = Reciprocal(r)\nn = Mul(i, x)\n",
                         "i = Pow(a, down)\nn = Mul(x, i)\n"};
  for (const std::string& square : squares) {
    for (const std::string& normal : normals) {
      for (const std::string end : {"y = Mul(g, n)\noutput y\n", "y = Tanh(n)\noutput y\n"})
        EXPECT_FALSE(taken(begin + square + mean + normal + end, rms_norm()).empty())
            << square << normal << end;
    }
  }
  expect_missed(begin,
                {"q = Mul(x, x)\n" + mean + "r = Sqrt(a)\nn = Mul(x, r)\ny = Mul(n, g)\noutput y\n",
                 "q = Mul(x, x)\nm = ReduceMean(q) {axes=[0]}\na = Add(m, e)\nr = Sqrt(a)\n"
                 "n = Div(x, r)\ny = Mul(n, g)\noutput y\n",
                 "q = Mul(x, x)\nm = ReduceSum(q) {axes=[-1]}\na = Add(m, e)\nr = Sqrt(a)\n"
                 "n = Div(x, r)\ny = Mul(n, g)\noutput y\n",
                 "q = Mul(x, x)\nm = ReduceMean(q) {axes=[-1]}\nw = Sqrt(m)\nr = Add(w, e)\n"
                 "n = Div(x, r)\ny = Mul(n, g)\noutput y\n"},
                rms_norm());
}

}  // namespace
}  // namespace opkit::match
