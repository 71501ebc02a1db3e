#include "opkit/rewrite/match/match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "contracts.h"
#include "opkit/contract/lower.h"
#include "opkit/contract/sample_calls.h"
#include "opkit/contract/scope.h"
#include "opkit/rewrite/match/pattern.h"
#include "opkit/rewrite/passes/rewrite.h"
#include "opkit_test_paths.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::match {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

graph::Graph canonical(const std::string& text) {
  auto graph = graph::parse_text(text);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  if (!graph.ok()) return {};
  const auto changes = passes::canonicalize(*graph);
  EXPECT_TRUE(changes.ok()) << changes.error().to_string();
  return std::move(graph).value();
}

std::string misses(const Found& found) {
  std::string text;
  for (const NearMiss& miss : found.near_misses)
    text += std::string(name_of(miss.refusal.guard)) + ": " + miss.refusal.reason + "\n";
  return text;
}

// The one match that there is.
Match only(const OpContract& contract, const graph::Graph& graph) {
  const Found found = Matcher(graph).find(contract);
  EXPECT_THAT(found.matches, SizeIs(1)) << misses(found) << to_text(graph);
  return found.matches.empty() ? Match() : found.matches.front();
}

TEST(Match, TakesCommutedOperands) {
  for (const char* add : {"Add(a, b)", "Add(b, a)"}) {
    const graph::Graph graph =
        canonical(std::string("input a: float32[2, 4]\ninput b: float32[2, 4]\n"
                              "s = ") +
                  add + "\nr = Relu(s)\noutput r\n");
    const Match match = only(add_relu(), graph);
    EXPECT_THAT(match.nodes, ElementsAre(0, 1));
    EXPECT_THAT(match.outputs, ElementsAre(ElementsAre("r")));
    EXPECT_EQ(match.column, 1u);
  }
}

TEST(Match, FindsSpellings) {
  const std::string begin = "input x: float32[2, 4]\nconst one: float32[] = 1\n";
  const std::string rest = "n = Neg(s)\ne = Exp(n)\np = Add(one, e)\ny = Div(s, p)\noutput y\n";
  const Match plain = only(swish(), canonical(begin + "s = Tanh(x)\n" + rest));
  ASSERT_NE(plain.spelling, nullptr);
  EXPECT_EQ(plain.spelling->name, "quotient");
  EXPECT_EQ(std::get<std::string>(plain.attrs.at("kind")), "silu");
  EXPECT_THAT(plain.nodes, SizeIs(4));
  EXPECT_THAT(plain.inputs, ElementsAre(ElementsAre("s"), ElementsAre()));
  const Match relu = only(swish(), canonical(begin + "const z: float32[] = 0\ns = Tanh(x)\n"
                                                     "y = Max(z, s)\noutput y\n"));
  EXPECT_EQ(relu.spelling->name, "maximum");
  EXPECT_EQ(std::get<std::string>(relu.attrs.at("kind")), "relu");
  const Match reference =
      only(swish(), canonical("input x: float32[4]\ng = Sigmoid(x)\ny = Mul(g, x)\noutput y\n"));
  EXPECT_EQ(reference.spelling, nullptr);
}

TEST(Match, LetsConditionsDecideTexts) {
  const Match relu = only(swish(), canonical("input x: float32[4]\ny = Relu(x)\noutput y\n"));
  EXPECT_EQ(relu.spelling, nullptr);
  EXPECT_EQ(std::get<std::string>(relu.attrs.at("kind")), "relu");
}

// What no condition names is what is left when none of them holds; two never hold at once.
TEST(Match, LetsConditionsThatDoNotHoldDecideTexts) {
  const OpContract bent = contract_of(R"yaml(
op: Bent
version: "1.0.0"
inputs: {x: {dtype: T, shape: "S.."}, y: {dtype: T, shape: "S.."}}
outputs: {z: {dtype: T, shape: "S.."}}
types: {T: [float32]}
attrs: {kind: {type: string, default: "relu", enum: ["none", "relu", "tanh"]}}
reference:
  - {op: Add, in: [x, y], out: sum}
  - {op: Relu, in: [sum], out: z0, when: "kind == 'relu'", else: sum}
  - {op: Tanh, in: [z0], out: z, when: "kind == 'tanh'", else: z0}
)yaml");
  EXPECT_THAT(patterns_of(bent), SizeIs(3));
  const std::string sum = "input x: float32[4]\ninput y: float32[4]\ns = Add(x, y)\n";
  const Match none = only(bent, canonical(sum + "output s\n"));
  EXPECT_EQ(std::get<std::string>(none.attrs.at("kind")), "none");
  const graph::Graph graph = canonical(sum + "z = Tanh(s)\noutput z\n");
  std::map<size_t, std::string> kinds;  // is keyed by nodes that the op takes
  for (const Match& match : Matcher(graph).find(bent).matches)
    kinds[match.nodes.size()] = std::get<std::string>(match.attrs.at("kind"));
  EXPECT_EQ(kinds, (std::map<size_t, std::string>{{1, "none"}, {2, "tanh"}}));
}

TEST(Match, RefusesWhatOnlyLooksLikeASpelling) {
  const graph::Graph graph = canonical(
      "input x: float32[2, 4]\nconst two: float32[] = 2\nn = Neg(x)\ne = Exp(n)\n"
      "p = Add(two, e)\ny = Div(x, p)\noutput y\n");
  const Found found = Matcher(graph).find(swish());
  EXPECT_TRUE(found.matches.empty());
  EXPECT_THAT(misses(found), ::testing::HasSubstr("constant: constant 'two' of Add is [2], the op "
                                                  "has [1]"));
}

TEST(Match, ReadsAxesAsOperandAndAttribute) {
  for (const char* squares : {"q = Mul(x, x)\n", "q = Pow(x, two)\n"}) {
    for (const char* mean : {"y = ReduceMean(q) {axes=[2], keepdims=1}\n",
                             "y = ReduceMean(q) {axes=[-1], keepdims=1}\n",
                             "y = ReduceMean(q, last) {keepdims=1}\n"}) {
      only(variance(), canonical(std::string("input x: float32[2, 3, 4]\nconst two: float32[] = 2\n"
                                             "const last: int64[1] = -1\n") +
                                 squares + mean + "output y\n"));
    }
  }
  const graph::Graph other = canonical(
      "input x: float32[2, 3, 4]\nq = Mul(x, x)\ny = ReduceMean(q) {axes=[1], keepdims=1}\n"
      "output y\n");
  EXPECT_TRUE(Matcher(other).find(variance()).matches.empty());
}

TEST(Match, FindsOptionalInputsAndAttributes) {
  const std::string product =
      "input x: float16[3, 8]\nconst w: float16[8, 5] = all 0.5\nm = MatMul(x, w)\n";
  const Match without =
      only(linear(), canonical(product + "y = LeakyRelu(m) {alpha=0.25}\noutput y\n"));
  EXPECT_THAT(without.inputs, ElementsAre(ElementsAre("x"), ElementsAre("w"), ElementsAre()));
  EXPECT_EQ(std::get<double>(without.attrs.at("slope")), 0.25);
  const Match with =
      only(linear(), canonical(product + "const b: float16[5] = 1, 2, 3, 4, 5\ns = Add(b, m)\n"
                                         "y = LeakyRelu(s)\noutput y\n"));
  EXPECT_THAT(with.inputs[2], ElementsAre("b"));
  EXPECT_THAT(with.nodes, SizeIs(3));
  EXPECT_EQ(with.column, 0u);
}

TEST(Match, KnowsAPadAsPadsOfTheConv) {
  const graph::Graph graph = canonical(
      "input x: float32[1, 3, 8, 8]\nconst w: float32[4, 3, 3, 3] = all 0.5\n"
      "c = Conv(x, w) {auto_pad=\"SAME_UPPER\", strides=[2, 2]}\ny = Relu(c)\noutput y\n");
  const Found found = Matcher(graph).find(conv());
  ASSERT_THAT(found.matches, SizeIs(2)) << misses(found);  // ND and NC1HWC0
  EXPECT_EQ(found.matches[0].column, 0u);
  EXPECT_EQ(found.matches[1].column, 1u);
  EXPECT_EQ(std::get<std::vector<int64_t>>(found.matches[0].attrs.at("pads")),
            (std::vector<int64_t>{0, 0, 1, 1}));
}

TEST(Match, FollowsSharedInputsAndStoredInnerValues) {
  const std::string text =
      "input x: float32[4]\nt = Tanh(x)\ns = Sigmoid(x)\ny = Mul(t, s)\nz = Neg(t)\noutput y\n"
      "output z\n";
  const Match match = only(diamond(), canonical(text));
  EXPECT_THAT(match.outputs, ElementsAre(ElementsAre("y"), ElementsAre("t")));
  EXPECT_THAT(match.nodes, SizeIs(3));
}

TEST(Match, ReadsConstantsAsAttributes) {
  const Match match = only(gelu(), canonical("input x: float32[2, 3]\nconst one: float32[1] = 1\n"
                                             "const half: float32[] = 0.25\nq = Mul(x, x)\n"
                                             "t = Tanh(q)\no = Add(one, t)\np = Mul(x, o)\n"
                                             "y = Mul(p, half)\noutput y\n"));
  EXPECT_EQ(std::get<double>(match.attrs.at("scale")), 0.25);
}

TEST(Match, TakesAnyNumberOfOperands) {
  const Match match = only(
      concat(), canonical("input a: float32[2, 3]\ninput b: float32[2, 1]\ninput c: float32[2, 2]\n"
                          "j = Concat(a, b, c) {axis=1}\ny = Relu(j)\noutput y\n"));
  EXPECT_THAT(match.inputs, ElementsAre(ElementsAre("a", "b", "c")));
}

TEST(Match, RaisesOldVersionsAndCountsAxes) {
  only(softmax(), canonical("graph \"g\" opset 9\ninput x: float32[2, 7]\ny = Softmax(x)\n"
                            "output y\n"));
  only(softmax(), canonical("input x: float32[2, 7]\ny = Softmax(x) {axis=1}\noutput y\n"));
}

TEST(Match, LetsConditionsDecideAttributes) {
  const Match plain =
      only(transposed(), canonical("input x: float32[2, 3]\ninput w: float32[3, 5]\n"
                                   "y = MatMul(x, w)\noutput y\n"));
  EXPECT_FALSE(std::get<bool>(plain.attrs.at("transpose_w")));
  const graph::Graph graph = canonical(
      "input x: float32[2, 3]\ninput w: float32[5, 3]\nt = Transpose(w) {perm=[1, 0]}\n"
      "y = MatMul(x, t)\noutput y\n");
  const Found found = Matcher(graph).find(transposed());
  ASSERT_THAT(found.matches, SizeIs(2));
  EXPECT_TRUE(std::get<bool>(found.matches[0].attrs.at("transpose_w")));
  EXPECT_THAT(found.matches[0].nodes, SizeIs(2));
  EXPECT_THAT(found.matches[1].nodes, SizeIs(1));
}

TEST(Match, PassesValuesThatTheHostMustKnow) {
  const Match match = only(sized(), canonical("input x: float32[4, 3]\nconst r: int64[2] = 3, 0\n"
                                              "y = Gather(x, r)\noutput y\n"));
  EXPECT_THAT(match.inputs[1], ElementsAre("r"));
}

TEST(Match, FindsEveryPlaceOnce) {
  std::string text = "input x: float32[2, 4]\n";
  std::string last = "x";
  for (int i = 0; i < 20; ++i) {
    const std::string n = std::to_string(i);
    text += "s" + n + " = Add(" + last + ", x)\nr" + n + " = Relu(s" + n + ")\n";
    last = "r" + n;
  }
  const graph::Graph graph = canonical(text + "output " + last + "\n");
  const Found found = Matcher(graph).find(add_relu());
  EXPECT_THAT(found.matches, SizeIs(20));
  EXPECT_THAT(found.near_misses, SizeIs(0)) << misses(found);
}

TEST(Match, AnOpWithoutAReferenceMatchesNothing) {
  const OpContract op = contract_of(
      "op: Custom\nversion: \"1.0.0\"\ninputs: {x: {dtype: float32, shape: \"S..\"}}\n"
      "outputs: {y: {dtype: float32, shape: \"S..\"}}\nreference: {none: \"no ONNX operator\"}\n");
  EXPECT_THAT(patterns_of(op), SizeIs(0));
}

// --- every shipped op matches what its own reference stands for ----------------------------------

Result<graph::Graph> graph_of(const OpContract& contract, const SampleCall& call, size_t column) {
  ReferenceCall known{{}, call.attrs, scope_of(contract, call.symbols, call.attrs), column};
  for (const Port& port : contract.inputs) {
    known.inputs.emplace_back();
    if (call.symbols.absent.count(port.name) > 0) continue;
    const size_t count = port.presence == Presence::kDynamic
                             ? static_cast<size_t>(known.scope.counts.at(port.name).lo)
                             : 1;
    for (size_t i = 0; i < count; ++i) {
      Scope scope = known.scope;
      scope.instance = static_cast<int>(i);
      OPKIT_TRY(std::vector<int64_t> dims, dims_in(port.shape.items, scope));
      known.inputs.back().push_back({port.dtypes[column], Shape(dims), Format::kND, nullptr});
    }
  }
  OPKIT_TRY(LoweredReference lowered, lower_reference(contract, known));
  OPKIT_TRY(const auto changes, passes::canonicalize(lowered.graph));
  (void)changes;
  return std::move(lowered.graph);
}

TEST(Match, EveryShippedOpMatchesItself) {
  namespace fs = std::filesystem;
  size_t ops = 0;
  for (const char* folder : {"ops/builtin", "ops/fused"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(OPKIT_SOURCE_DIR) / folder)) {
      if (!entry.path().filename().string().ends_with("_contract.yaml")) continue;
      const auto contract = OpContract::load(entry.path());
      ASSERT_TRUE(contract.ok()) << entry.path();
      if (patterns_of(*contract).empty()) continue;
      const bool by_values = std::any_of(contract->inputs.begin(), contract->inputs.end(),
                                         [](const Port& port) { return port.value_depend; });
      if (by_values) continue;  // needs constants that a sample call does not have
      // Its Pad has axes, as in the whole numbers of a quantised model, which nobody canonicalises;
      // quantized_match_test.cpp matches it there.
      if (contract->op == "QuantConvRequant" || contract->op == "QuantConvAddRequant") continue;
      size_t matched = 0;
      std::string last;
      for (const SampleCall& call : sample_calls(*contract)) {
        const auto graph = graph_of(*contract, call, 0);
        if (!graph.ok()) continue;
        const Found found = Matcher(*graph).find(*contract);
        last = misses(found) + to_text(*graph);
        for (const Match& match : found.matches)
          matched += match.nodes.size() == graph->nodes.size();
      }
      EXPECT_GT(matched, 0u) << contract->op << "\n" << last;
      ++ops;
    }
  }
  EXPECT_GT(ops, 30u);
}

}  // namespace
}  // namespace opkit::match
