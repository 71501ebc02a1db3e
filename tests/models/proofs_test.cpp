// What a compilation proves, and what it says of kernels and covers that are wrong. With the
// packages of ASCEND_OPP_PATH, else those that `make ops` installed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "model_test.h"
#include "opkit/atc/compile/bisect.h"
#include "opkit/atc/compile/proof.h"
#include "opkit/atc/compile/report.h"
#include "opkit/atc/compile/single_nodes.h"
#include "opkit/reference/infer.h"
#include "tests/graph_text/parse_text.h"

namespace opkit {
namespace {

using testing::HasSubstr;

class Proofs : public ModelTest {};

// MatMul, Add and Sigmoid in one kernel, which is told of another activation than its reference.
TEST_P(Proofs, BisectionDropsTheFusionThatIsWrong) {
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
TEST_P(Proofs, SingleNodesTakeEveryNodeByItself) {
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
TEST_P(Proofs, ProofNamesAKernelThatIsWrong) {
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
TEST_P(Proofs, ProofComparesWithTheFile) {
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
TEST_P(Proofs, ProofIsFairToHalves) {
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
    options.precision.mode = compile::PrecisionMode::kHalf;
    const auto made =
        compile::compile(*graph::parse_text("graph \"m\" opset 13\n" + text), *ops_, options);
    ASSERT_TRUE(made.ok()) << made.error().to_string();
    const auto proof = compile::prove(*made, *ops_);
    ASSERT_TRUE(proof.ok()) << proof.error().to_string() << text;
    EXPECT_TRUE(proof->warnings.empty());
  }
}

TEST_P(Proofs, ProofNamesNodesThatOverflow) {
  compile::Options options;
  options.candidates.soc = GetParam();
  options.precision.mode = compile::PrecisionMode::kHalf;
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

// A model that says float16 itself: scores overflow before they are scaled.
TEST_P(Proofs, ProofNamesHalvesThatOverflow) {
  const compile::Compiled made = compiled(*graph::parse_text(
      "graph \"m\" opset 13\ninput x: float16[4, 64]\nconst c: float16[] = 60000\n"
      "const d: float16[] = 0.0001\na = Mul(x, c) @\"large\"\nb = Add(a, a) @\"twice\"\n"
      "y = Mul(b, d) @\"scaled\"\noutput y\n"));
  const auto proof = compile::prove(made, *ops_);
  ASSERT_TRUE(proof.ok()) << proof.error().to_string();
  std::string warnings;
  for (const Error& one : proof->warnings) warnings += one.to_string();
  EXPECT_THAT(warnings, HasSubstr("'twice' computes in float16, which cannot hold"));
  EXPECT_THAT(warnings, HasSubstr("--precision_mode=force_fp32"));
  EXPECT_THAT(warnings, testing::Not(HasSubstr("'scaled' computes")));
  const std::string text = compile::proof_text(*proof);
  EXPECT_THAT(text, testing::Not(HasSubstr("within inf")));
  EXPECT_THAT(text, HasSubstr("not everywhere, since nodes overflow"));
}

TEST_P(Proofs, InfinitiesAreTold) {
  const compile::Compiled made =
      compiled(*graph::parse_text("graph \"m\" opset 13\ninput x: float32[4, 8]\ny = Log(x)\nz = "
                                  "Exp(x)\noutput y\noutput z\n"));
  const auto proof = compile::prove(made, *ops_);
  ASSERT_TRUE(proof.ok()) << proof.error().to_string();
  ASSERT_EQ(proof->warnings.size(), 1u);
  EXPECT_THAT(proof->warnings[0].to_string(),
              ::testing::HasSubstr("OPK-PROOF-004: output 'y' holds NaN or infinities in "));
}

INSTANTIATE_TEST_SUITE_P(Chips, Proofs, ::testing::Values("Ascend910B1", "Ascend310B1"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace opkit
