// Chains of models that are compiled without any plugin: every node is a unit of its own.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/base/json.h"
#include "opkit/fusion/analyze/analysis.h"
#include "tests/unit/atc/compile/compiled_text.h"

namespace opkit::analyze {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// Chains as operators: "Conv Relu".
std::vector<std::string> chains_of(const std::string& text) {
  const compile::Compiled model = compiled(text);
  std::vector<std::string> chains;
  for (const Chain& chain : find_chains(model)) {
    std::string names;
    for (const size_t n : chain.nodes)
      names += (names.empty() ? "" : " ") + model.graph.nodes[n].op_type;
    chains.push_back(names);
  }
  return chains;
}

TEST(Chains, ElementwiseNodesJoinWhatTheyRead) {
  EXPECT_THAT(chains_of("input a: float32[64, 64]\ninput b: float32[64, 64]\n"
                        "s = Add(a, b)\nt = Tanh(s)\nu = Mul(t, a)\noutput u\n"),
              ElementsAre("Add Tanh Mul"));
}

TEST(Chains, AConvolutionBeginsAChainAndEndsNone) {
  EXPECT_THAT(chains_of("input x: float32[1, 4, 8, 8]\nconst w: float32[4, 4, 1, 1] = all 0.5\n"
                        "c = Conv(x, w)\nr = Relu(c)\nd = Conv(r, w)\ne = Sigmoid(d)\noutput e\n"),
              ElementsAre("Conv Relu", "Conv Sigmoid"));
}

TEST(Chains, ARowJoinsElementsButNoConvolution) {
  EXPECT_THAT(chains_of("input a: float32[32, 64]\ninput b: float32[32, 64]\n"
                        "s = Add(a, b)\nt = Softmax(s) {axis=-1}\nu = Mul(t, a)\noutput u\n"),
              ElementsAre("Add Softmax Mul"));
  EXPECT_THAT(chains_of("input a: float32[32, 64]\ninput w: float32[64, 16]\n"
                        "s = MatMul(a, w)\nt = Softmax(s) {axis=-1}\noutput t\n"),
              IsEmpty());
  EXPECT_THAT(chains_of("input a: float32[32, 64]\n"
                        "s = Exp(a)\nt = Softmax(s) {axis=0}\noutput t\n"),
              IsEmpty());
}

TEST(Chains, AReductionThatKeepsItsDimIsARow) {
  EXPECT_THAT(chains_of("input a: float32[32, 64]\nconst axis: int64[1] = -1\n"
                        "q = Mul(a, a)\nm = ReduceSum(q, axis) {keepdims=1}\nd = Div(a, m)\n"
                        "output d\n"),
              ElementsAre("Mul ReduceSum Div"));
}

// add -> conv -> mul, add -> mul: the two element-wise nodes may not become one kernel.
TEST(Chains, NoPathLeavesAndComesBack) {
  EXPECT_THAT(chains_of("input x: float32[1, 4, 8, 8]\nconst w: float32[4, 4, 1, 1] = all 0.5\n"
                        "s = Exp(x)\nc = Conv(s, w)\nm = Mul(c, s)\noutput m\n"),
              ElementsAre("Conv Mul"));
}

TEST(Chains, OtherDimsDoNotJoin) {
  EXPECT_THAT(chains_of("input a: float32[8]\ninput b: float32[64, 8]\n"
                        "e = Exp(a)\ns = Add(b, e)\noutput s\n"),
              IsEmpty());
}

TEST(NodeTraffic, CountsEachTensorOnce) {
  const compile::Compiled model = compiled(
      "input a: float16[64]\ns = Exp(a)\nt = Mul(s, s)\nu = Add(t, a)\noutput u\noutput t\n");
  const ValueReaders readers(model.graph);
  const NodeTraffic all = readers.traffic_of({0, 1, 2});
  EXPECT_THAT(all.read, ElementsAre("a"));
  EXPECT_THAT(all.written, UnorderedElementsAre("t", "u"));
  EXPECT_EQ(all.bytes(), 3u * 64 * 2);
  EXPECT_EQ(readers.traffic_of({1}).bytes(), 2u * 64 * 2);
}

constexpr const char* kTwice =
    "input a: float32[256, 1024]\ninput b: float32[256, 1024]\n"
    "s1 = Add(a, b) @\"s1\"\nt1 = Sigmoid(s1) @\"t1\"\n"
    "w = ReduceSum(t1) {keepdims=1}\n"
    "s2 = Add(a, t1) @\"s2\"\nt2 = Sigmoid(s2) @\"t2\"\noutput t2\noutput w\n";

TEST(Analyze, GainsAreWhatStaysOnTheChip) {
  const auto analysis =
      analyze(compiled("input a: float32[256, 1024]\ninput b: float32[256, 1024]\n"
                       "s = Add(a, b) @\"s\"\nt = Sigmoid(s) @\"t\"\noutput t\n"));
  ASSERT_TRUE(analysis.ok()) << analysis.error().to_string();
  ASSERT_EQ(analysis->patterns.size(), 1u);
  const ChainKind& pattern = analysis->patterns[0];
  constexpr uint64_t kTensor = 256 * 1024 * 4;
  EXPECT_EQ(pattern.operators, "Add + Sigmoid");
  EXPECT_EQ(pattern.op, "AddSigmoid");
  EXPECT_EQ(pattern.gain.now_bytes, 5 * kTensor);
  EXPECT_EQ(pattern.gain.then_bytes, 3 * kTensor);
  EXPECT_LT(pattern.gain.then_ns, pattern.gain.now_ns);
  EXPECT_EQ(pattern.gain.on_host, 2u);
  EXPECT_EQ(pattern.fitness.effort, WritingEffort::kWritten);
  EXPECT_TRUE(pattern.fitness.green());
  EXPECT_THAT(pattern.nodes, ElementsAre("s", "t"));
}

TEST(Analyze, ReportsSayWhatToTypeNext) {
  const auto analysis = analyze(compiled(kTwice));
  ASSERT_TRUE(analysis.ok());
  const std::string text = analysis_text(*analysis, "m.onnx", 10);
  EXPECT_THAT(text, HasSubstr("--from-model m.onnx --nodes "));
  const auto json = analysis_json(*analysis);
  EXPECT_EQ(json["patterns"].size(), analysis->patterns.size());
  EXPECT_THAT(analysis_text(*analysis, "m.onnx", 1), HasSubstr("1. "));
}

// In groups it is another kernel.
TEST(Analyze, AConvolutionBeginsWithItsTemplate) {
  const auto template_of = [](const char* weights, const char* attributes) {
    const auto analysis = analyze(
        compiled(fmt::format("input x: float16[1, 32, 64, 64]\nconst w: float16[{}] = all 0.5\n"
                             "c = Conv(x, w){}\nr = Relu(c)\noutput r\n",
                             weights, attributes)));
    if (!analysis.ok() || analysis->patterns.size() != 1) return std::string("no pattern");
    return analysis->patterns[0].fitness.template_name;
  };
  EXPECT_EQ(template_of("32, 32, 1, 1", ""), "conv");
  EXPECT_EQ(template_of("32, 1, 1, 1", " {group=32}"), "");
}

TEST(Analyze, WhatSpeaksAgainstAChainIsRed) {
  const auto two = analyze(
      compiled("input a: float32[256, 1024]\ns = Exp(a)\nt = Sigmoid(s)\noutput s\noutput t\n"));
  ASSERT_TRUE(two.ok());
  ASSERT_EQ(two->patterns.size(), 1u);
  EXPECT_FALSE(two->patterns[0].fitness.green());
  EXPECT_THAT(analysis_text(*two, "m", 9), HasSubstr("[red] 2 values leave it: s, t"));
  const auto wide = analyze(
      compiled("input a: float32[4, 200000]\ns = Exp(a)\nt = Softmax(s) {axis=-1}\noutput t\n"));
  ASSERT_TRUE(wide.ok());
  EXPECT_THAT(analysis_text(*wide, "m", 9), HasSubstr("rows must be cut in parts"));
  EXPECT_EQ(wide->patterns[0].fitness.template_name, "reduction");
  const auto ints =
      analyze(compiled("input a: int32[256, 1024]\ns = Abs(a)\nt = Mul(s, a)\noutput t\n"));
  ASSERT_TRUE(ints.ok());
  EXPECT_THAT(analysis_text(*ints, "m", 9), HasSubstr("[red] tensors of int32"));
}

TEST(Analyze, AFormulaIsNotOfferedToAChipThatLacksItsCalls) {
  const std::string text = "input a: float32[256, 1024]\ns = Exp(a)\nt = Tanh(s)\noutput t\n";
  const auto large = analyze(compiled(text));
  ASSERT_TRUE(large.ok());
  EXPECT_EQ(large->patterns.at(0).fitness.effort, WritingEffort::kWritten);
  EXPECT_TRUE(large->patterns[0].fitness.green());
  const auto small = analyze(compiled(text, "Ascend310B1"));
  ASSERT_TRUE(small.ok());
  EXPECT_EQ(small->patterns.at(0).fitness.effort, WritingEffort::kElementwise);
  EXPECT_THAT(analysis_text(*small, "m", 9),
              HasSubstr("[red] calls of its formula exist on Ascend910B only, not on Ascend310B1"));
}

TEST(Analyze, AResultThatNobodyReadsMayBeTheFirst) {
  const auto analysis =
      analyze(compiled("input a: float32[256, 1024]\nconst k: int64[1] = 1024\n_, i = TopK(a, k)\n"
                       "f = Cast(i) {to=1}\ng = Exp(f)\noutput g\n"));
  ASSERT_TRUE(analysis.ok()) << analysis.error().to_string();
}

TEST(Analyze, NothingToSaveIsSaid) {
  const auto none = analyze(compiled("input a: float32[8]\ns = Exp(a)\noutput s\n"));
  ASSERT_TRUE(none.ok());
  EXPECT_THAT(analysis_text(*none, "m", 9), HasSubstr("no chain is worth an op of its own"));
}

}  // namespace
}  // namespace opkit::analyze
