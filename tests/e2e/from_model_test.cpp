// opkit new --from-model: nodes of a model become an op that passes its own tests. Needs models of
// Debian's libonnx-testdata.
#include <filesystem>

#include "run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// -sigmoid(tanh(x * (x + y))) over nodes 2 to 6
constexpr const char* kBasic =
    "/usr/share/libonnx-testdata/data/pytorch-operator/test_operator_basic/model.onnx";

class FromModel : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    if (!std::filesystem::exists(kBasic)) GTEST_SKIP() << "libonnx-testdata is not installed";
  }
  Shown make(const std::string& op, const std::string& nodes) {
    return opkit({"new", op, "--from-model", kBasic, "--nodes", nodes});
  }
  void expect_all_compared();
};

TEST_F(FromModel, NodesBecomeAnOpThatPassesItsTests) {
  ASSERT_EQ(make("GatedChain", "2,3,4,5,6").exit_code, 0);
  EXPECT_THAT(read("gated_chain/op_contract.yaml"), HasSubstr("{op: Tanh, in: [mul_2]"));
  const Shown built = opkit({"build", "gated_chain"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const Shown tested = opkit({"test", "gated_chain", "--tier", "smoke"});
  EXPECT_EQ(tested.exit_code, 0) << tested.out;
  EXPECT_THAT(tested.out, HasSubstr("PASSED"));
  // The tests can fail: a formula that leaves a call out is found.
  edit("gated_chain/op_kernel/gated_chain.cpp", "    Tanh(y, t0, count);\n",
       "    Muls(y, t0, 1.0f, count);\n");
  EXPECT_THAT(opkit({"test", "gated_chain", "--tier", "smoke"}).out, HasSubstr("FAILED"));
}

TEST_F(FromModel, TheNewOpTakesItsNodesInTheNextCompilation) {
  ASSERT_EQ(make("NegatedGate", "5,6").exit_code, 0);
  ASSERT_EQ(opkit({"build", "negated_gate"}).exit_code, 0);
  ASSERT_EQ(opkit({"install", "negated_gate", "--opp", "opp"}).exit_code, 0);
  const Shown made = opkit({"atc", std::string("--model=") + kBasic, "--framework=5", "--output=m",
                            "--soc_version=Ascend910B1", "--opp", "opp", "--explain"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, AllOf(HasSubstr("5 (Sigmoid): NegatedGate (2 nodes"),
                              HasSubstr("6 (Neg): NegatedGate (2 nodes")));
}

TEST_F(FromModel, AnalyzeSaysWhatToType) {
  const auto analysis = opkit_json({"analyze", kBasic, "--opp", "opp"});
  const auto& best = analysis["patterns"][0];
  EXPECT_EQ(best["operators"], "Add + Mul + Tanh + Sigmoid + Neg");
  EXPECT_EQ(best["written_by_opkit"], true);
  EXPECT_EQ(best["on_host"], 5);
  const Shown shown = opkit({"analyze", kBasic, "--opp", "opp", "--top", "1"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("opkit new AddMulTanhSigmoidChain --from-model"));
  EXPECT_EQ(opkit({"analyze", kBasic, "--top", "0"}).exit_code, 2);
  EXPECT_EQ(opkit({"analyze", "none.onnx"}).exit_code, 3);
}

// Expects that one of the installed ops has several operators.
void FromModel::expect_all_compared() {
  const std::vector<std::string> all = {"compare", "--all", "--opp",     "opp",
                                        "--warm",  "0",     "--samples", "1"};
  const auto json = opkit_json(all);
  ASSERT_EQ(json["ops"].size(), 1u);
  EXPECT_EQ(json["ops"][0]["op"], "NegatedGate");
  EXPECT_EQ(json["ops"][0]["fused"]["launches"][0]["tensors"].size(), 2u);
  EXPECT_EQ(json["failed"].size(), 0u);
  EXPECT_THAT(opkit(all).out, AllOf(HasSubstr("NegatedGate"), HasSubstr("0 not compared")));
  EXPECT_THAT(opkit({"compare"}).err, HasSubstr("no op is named"));
  EXPECT_THAT(opkit({"compare", "NegatedGate", "--all", "--opp", "opp"}).err,
              HasSubstr("op and --all do not go together"));
}

// Sigmoid and Neg as one op, and each as an op of its own.
TEST_F(FromModel, AFusedOpIsComparedWithSeparateOnes) {
  const std::vector<std::pair<std::string, std::string>> ops = {
      {"OnlyGate", "5"}, {"OnlyNegate", "6"}, {"NegatedGate", "5,6"}};
  for (const auto& [op, nodes] : ops) ASSERT_EQ(make(op, nodes).exit_code, 0);
  const auto install = [&](const std::string& folder) {
    ASSERT_EQ(opkit({"build", folder}).exit_code, 0);
    ASSERT_EQ(opkit({"install", folder, "--opp", "opp"}).exit_code, 0);
  };
  for (const char* folder : {"only_gate", "negated_gate"}) install(folder);
  const std::vector<std::string> words = {
      "compare", "NegatedGate", "--opp",     "opp",       "--shape",
      "x=65536", "--dtype",     "x=float32", "--samples", "2"};
  const auto without_negate = opkit_json(words);
  EXPECT_EQ(without_negate["separate"]["on_host"].size(), 1u);
  EXPECT_TRUE(without_negate["speedup"].is_null()) << without_negate["speedup"];
  install("only_negate");
  const auto both = opkit_json(words);
  constexpr int kTensor = 65536 * 4;
  EXPECT_EQ(both["fused"]["launches"].size(), 1u);
  EXPECT_EQ(both["fused"]["gm_bytes"], 2 * kTensor);
  EXPECT_EQ(both["separate"]["launches"].size(), 2u);
  EXPECT_EQ(both["separate"]["gm_bytes"], 4 * kTensor);
  EXPECT_GT(both["speedup"], 1.0);
  EXPECT_EQ(both["judged"], true);
  EXPECT_LT(both["fused"]["worst_error"], 1e-5);
  EXPECT_LT(both["separate"]["worst_error"], 1e-5);
  EXPECT_THAT(opkit(words).out, AllOf(HasSubstr("1 launch in place of 2"), HasSubstr("OnlyNegate"),
                                      HasSubstr("GM traffic -50 %")));
  EXPECT_THAT(opkit({"compare", "OnlyGate", "--opp", "opp"}).err, HasSubstr("OPK-COMPARE-001"));
  expect_all_compared();
}

TEST_F(FromModel, WhatCannotBeMadeIsSaid) {
  EXPECT_THAT(make("Chain", "2,33").err, HasSubstr("OPK-AUTHOR-001"));
  const Shown alone = opkit({"new", "Chain", "--from-model", kBasic});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_THAT(alone.err, HasSubstr("--from-model and --nodes go together"));
  const Shown other =
      opkit({"new", "Chain", "--from-model", kBasic, "--nodes", "2", "--template", "matmul"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("OPK-CLI-016"));
  EXPECT_FALSE(std::filesystem::exists(path("chain")));
}

}  // namespace
}  // namespace opkit::e2e
