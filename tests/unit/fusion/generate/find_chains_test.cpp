// Chains of models that are compiled without any plugin: every node is a unit of its own, unless a
// test joins some.
#include "opkit/fusion/generate/find_chains.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/atc/compile/compiled_text.h"

namespace opkit::generate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// As operators: "Add Tanh".
std::vector<std::string> chains_of(const compile::Compiled& model) {
  const auto worthy = find_worthy_chains(model);
  EXPECT_TRUE(worthy.ok()) << worthy.error().to_string();
  std::vector<std::string> chains;
  for (const WorthyChain& one : *worthy) {
    std::string names;
    for (const size_t n : one.chain.nodes)
      names += (names.empty() ? "" : " ") + model.graph.nodes[n].op_type;
    chains.push_back(names);
  }
  return chains;
}
std::vector<std::string> chains_of(const std::string& text) { return chains_of(compiled(text)); }

constexpr const char* kTwo = "input a: float32[64, 64]\ninput b: float32[64, 64]\n";

TEST(WorthyChains, ElementwiseNodesUpToOneResult) {
  const compile::Compiled model =
      compiled(std::string(kTwo) + "s = Add(a, b)\nt = Tanh(s)\nu = Mul(t, a)\noutput u\n");
  EXPECT_THAT(chains_of(model), ElementsAre("Add Tanh Mul"));
  const auto worthy = find_worthy_chains(model);
  constexpr uint64_t kTensor = 64 * 64 * 4;
  EXPECT_EQ((*worthy)[0].gain.now_bytes, 8 * kTensor);
  EXPECT_EQ((*worthy)[0].gain.then_bytes, 3 * kTensor);
  EXPECT_EQ((*worthy)[0].region.inputs.size(), 2u);
}

TEST(WorthyChains, OneKernelIsNone) {
  EXPECT_THAT(chains_of(std::string(kTwo) + "s = Add(a, b)\noutput s\n"), IsEmpty());
}

// Two readers inside the chain are no second use; a reader outside is.
TEST(WorthyChains, WhatIsBetweenHasNoOtherReader) {
  EXPECT_THAT(chains_of("input a: float32[64, 64]\n"
                        "e = Exp(a)\nf = Abs(e)\ng = Neg(e)\nm = Mul(f, g)\noutput m\n"),
              ElementsAre("Exp Abs Neg Mul"));
  EXPECT_THAT(chains_of("input a: float32[64, 64]\n"
                        "e = Exp(a)\nf = Abs(e)\nm = Neg(f)\noutput m\noutput f\n"),
              ElementsAre("Exp Abs"));
  EXPECT_THAT(chains_of("input a: float32[64, 64]\n"
                        "e = Exp(a)\nf = Abs(e)\nr = Softmax(e)\noutput f\noutput r\n"),
              IsEmpty());
}

// exp -> softmax -> mul, exp -> mul.
TEST(WorthyChains, NoPathLeavesAndComesBack) {
  EXPECT_THAT(chains_of("input x: float32[64, 64]\n"
                        "s = Exp(x)\nc = Softmax(s)\nm = Mul(c, s)\noutput m\n"),
              IsEmpty());
}

TEST(WorthyChains, InputsBroadcastAndInnerResultsDoNot) {
  EXPECT_THAT(chains_of("input a: float32[64]\ninput b: float32[64, 64]\n"
                        "s = Add(b, a)\nt = Tanh(s)\noutput t\n"),
              ElementsAre("Add Tanh"));
  EXPECT_THAT(chains_of("input a: float32[64]\ninput b: float32[64, 64]\n"
                        "e = Exp(a)\nt = Add(b, e)\noutput t\n"),
              IsEmpty());
}

TEST(WorthyChains, OperatorsWithoutAFormulaEndAChain) {
  EXPECT_THAT(chains_of("input a: float32[64, 64]\n"
                        "e = Exp(a)\nf = Abs(e)\nh = Asin(f)\ni = Abs(h)\nj = Exp(i)\noutput j\n"),
              ElementsAre("Exp Abs", "Abs Exp"));
  EXPECT_THAT(chains_of("input a: int32[64, 64]\ns = Add(a, a)\nt = Mul(s, a)\noutput t\n"),
              IsEmpty());
}

TEST(WorthyChains, AResultThatNobodyReadsHasNoDims) {
  EXPECT_THAT(chains_of("input a: float32[64, 64]\n"
                        "_, p = Split(a) {axis=1}\ns = Exp(p)\nt = Abs(s)\noutput t\n"),
              ElementsAre("Exp Abs"));
}

TEST(WorthyChains, OperatorsWhoseCallsTheChipLacksEndAChain) {
  const std::string text =
      "input a: float32[64, 64]\n"
      "e = Exp(a)\nf = Abs(e)\nh = Tanh(f)\ni = Abs(h)\nj = Exp(i)\noutput j\n";
  EXPECT_THAT(chains_of(compiled(text)), ElementsAre("Exp Abs Tanh Abs Exp"));
  EXPECT_THAT(chains_of(compiled(text, "Ascend310B1")), ElementsAre("Exp Abs", "Abs Exp"));
}

std::string sum_of(size_t inputs) {
  std::string text;
  for (size_t i = 0; i < inputs; ++i) text += "input a" + std::to_string(i) + ": float32[64, 64]\n";
  text += "s1 = Add(a0, a1)\n";
  for (size_t i = 2; i < inputs; ++i)
    text += "s" + std::to_string(i) + " = Add(s" + std::to_string(i - 1) + ", a" +
            std::to_string(i) + ")\n";
  return text + "output s" + std::to_string(inputs - 1) + "\n";
}

TEST(WorthyChains, SixTensorsAtMost) {
  EXPECT_THAT(chains_of(sum_of(6)), ElementsAre("Add Add Add Add Add"));
  EXPECT_THAT(chains_of(sum_of(9)), ElementsAre("Add Add Add", "Add Add Add Add Add"));
}

TEST(WorthyChains, LongOnesAreCut) {
  std::string text = "input a0: float32[8, 64]\n";
  for (size_t i = 1; i <= kMostKernels + 10; ++i)
    text += "a" + std::to_string(i) + " = Tanh(a" + std::to_string(i - 1) + ")\n";
  const compile::Compiled model =
      compiled(text + "output a" + std::to_string(kMostKernels + 10) + "\n");
  const auto worthy = find_worthy_chains(model);
  ASSERT_TRUE(worthy.ok());
  ASSERT_EQ(worthy->size(), 2u);
  EXPECT_EQ((*worthy)[0].chain.nodes.size(), 10u);
  EXPECT_EQ((*worthy)[1].chain.nodes.size(), kMostKernels);
}

// One kernel for the first nodes and one for the others: nine tensors become seven, 22 % less. Of
// two kernels for the last two nodes alone six become four.
TEST(WorthyChains, LessThanThirtyPercentIsNotWorthIt) {
  compile::Compiled model = compiled(sum_of(6));
  const auto joined = [&](std::vector<size_t> nodes) {
    compile::Candidate unit;
    unit.nodes = std::move(nodes);
    model.candidates.all.push_back(std::move(unit));
    return model.candidates.all.size() - 1;
  };
  model.cover.chosen = {joined({0, 1, 2}), joined({3, 4})};
  EXPECT_THAT(chains_of(model), IsEmpty());
  model = compiled(sum_of(3));
  EXPECT_THAT(chains_of(model), ElementsAre("Add Add"));
}

}  // namespace
}  // namespace opkit::generate
