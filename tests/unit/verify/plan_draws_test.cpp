// What a plan has to hold: equal dims, multiples, telling attributes, every kind of special value.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fake_executor.h"
#include "opkit/verify/error_inputs.h"
#include "opkit/verify/problem/plan.h"
#include "opkit/verify/problem_inputs.h"
#include "parsed_contract.h"

namespace opkit::verify {
namespace {

std::vector<PlannedProblem> plan_of(const OpContract& contract, Tier tier) {
  return make_plan({&contract, {"Ascend910B1"}, tier, 1, {}, -1});
}

constexpr const char* kBiased = R"yaml(
op: Biased
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "M, N, K"}
  b: {dtype: T, shape: "N|1, K|1"}
outputs:
  y: {dtype: T, shape: "M, N, K"}
types: {T: [float16, float32]}
reference: [{op: Add, in: [x, b], out: y}]
)yaml";

TEST(PlanDraws, EveryPairOfDimsIsEqualUnderEveryBroadcast) {
  const OpContract contract = contract_of(kBiased);
  std::set<std::string> equal, ones;
  for (const PlannedProblem& planned : plan_of(contract, Tier::kCi)) {
    std::string form;
    for (const std::string& name : planned.problem.symbols.collapsed) form += name + " ";
    const std::map<std::string, int64_t>& dims = planned.problem.symbols.dims;
    for (const char* pair : {"MN", "MK", "NK"}) {
      const int64_t one = dims.at(std::string(1, pair[0])),
                    other = dims.at(std::string(1, pair[1]));
      if (one == other) (one == 1 ? ones : equal).insert(form + pair);
    }
  }
  for (const char* form : {"", "b:0 ", "b:1 ", "b:0 b:1 "}) {
    for (const char* pair : {"MN", "MK", "NK"})
      EXPECT_EQ(equal.count(std::string(form) + pair), 1u) << form << pair;
  }
  for (const char* pair : {"MN", "MK", "NK"}) EXPECT_EQ(ones.count(pair), 1u) << pair;
}

TEST(PlanDraws, ASmokeTestHasSquaresToo) {
  const OpContract contract = contract_of(kBiased);
  const auto plan = plan_of(contract, Tier::kSmoke);
  EXPECT_TRUE(std::any_of(plan.begin(), plan.end(), [](const PlannedProblem& planned) {
    const auto& dims = planned.problem.symbols.dims;
    return dims.at("M") == dims.at("N") && dims.at("M") > 1 &&
           planned.problem.symbols.collapsed.empty();
  }));
}

TEST(PlanDraws, ListsThatBroadcastAreSquareInEveryForm) {
  const OpContract contract = contract_of(R"yaml(
op: Add2
version: "1.0.0"
inputs:
  x: {dtype: float32, shape: "A.."}
  y: {dtype: float32, shape: "B.."}
outputs:
  z: {dtype: float32, shape: "broadcast(A, B)"}
reference: [{op: Add, in: [x, y], out: z}]
)yaml");
  std::set<std::string> forms;
  for (const PlannedProblem& planned : plan_of(contract, Tier::kCi)) {
    std::vector<int64_t> a = planned.problem.symbols.lists.at("A");
    std::vector<int64_t> b = planned.problem.symbols.lists.at("B");
    const int64_t n = std::max(a.empty() ? 0 : *std::max_element(a.begin(), a.end()),
                               b.empty() ? 0 : *std::max_element(b.begin(), b.end()));
    std::string form;
    for (const auto* list : {&a, &b}) {
      for (const int64_t dim : *list) form += dim == n ? "n" : dim == 1 ? "1" : "?";
      form += " ";
    }
    if (n > 1) forms.insert(form);
  }
  for (const char* form : {"nn n ", "n nn ", "nn n1 ", "nn 1n ", "1n nn ", "n1 1n ", "nn nn "})
    EXPECT_EQ(forms.count(form), 1u) << form;
}

constexpr const char* kChunks = R"yaml(
op: Chunks
version: "1.0.0"
inputs:
  q: {dtype: float16, shape: "H, L, D"}
  k: {dtype: float16, shape: "H, L, D"}
outputs:
  y: {dtype: float16, shape: "H, L, D"}
where:
  C1: {rule: "D == 64", why: "one width of a head"}
  C2: {rule: "L % 64 == 0 and L <= 4096", why: "whole chunks"}
  C3: "1 <= H"
reference: [{op: Mul, in: [q, k], out: y}]
)yaml";

TEST(PlanDraws, MultiplesAreDrawnOverTheWholeRange) {
  const OpContract contract = contract_of(kChunks);
  const auto lengths = [&](Tier tier) {
    std::map<int64_t, int> met;
    for (const PlannedProblem& planned : plan_of(contract, tier))
      ++met[planned.problem.symbols.dims.at("L")];
    return met;
  };
  const auto smoke = lengths(Tier::kSmoke), ci = lengths(Tier::kCi);
  for (const int64_t length : {64, 128, 192}) EXPECT_EQ(smoke.count(length), 1u) << length;
  EXPECT_EQ(ci.count(4096), 1u);
  EXPECT_GT(ci.size(), 8u);
  int above = 0, all = 0;
  for (const auto& [length, count] : ci) {
    all += count;
    above += length > 128 ? count : 0;
  }
  EXPECT_GT(6 * above, all);
}

// As many scores as L x L: no reference of the last size is evaluated at once.
constexpr const char* kScores = R"yaml(
op: Scores
version: "1.0.0"
inputs:
  q: {dtype: float16, shape: "H, L, D"}
  k: {dtype: float16, shape: "H, L, D"}
outputs:
  y: {dtype: float16, shape: "H, L, D"}
where:
  C1: {rule: "D == 64", why: "one width of a head"}
  C2: {rule: "L % 64 == 0 and L <= 4096", why: "whole chunks"}
  C3: "1 <= H"
reference:
  - {op: Transpose, in: [k], out: kt, attrs: {perm: [-1, -2]}}
  - {op: MatMul, in: [q, kt], out: s}
  - {op: Trilu, in: [s], out: c, attrs: {upper: 0}, store: float16}
  - {op: MatMul, in: [c, k], out: y}
)yaml";

TEST(PlanDraws, TheLastSizeIsMetWhereverATierHasRoom) {
  const OpContract contract = contract_of(kScores);
  const auto longest = [&](Tier tier) {
    int64_t most = 0;
    for (const PlannedProblem& planned : plan_of(contract, tier))
      most = std::max(most, planned.problem.symbols.dims.at("L"));
    return most;
  };
  EXPECT_EQ(longest(Tier::kSmoke), 512);
  EXPECT_EQ(longest(Tier::kCi), 4096);
}

// Takes nothing: every call is refused, with the wrong code.
class TakesNothing : public FakeExecutor {
 public:
  TakesNothing() : FakeExecutor([](FakeCall&) {}) {}
  Result<Execution> run(Invocation) override {
    Error error;
    error.code = "OPK-RUN-001";
    return error;
  }
};

TEST(PlanDraws, EveryConstraintIsBroken) {
  const OpContract contract = contract_of(kChunks);
  TakesNothing executor;
  std::map<std::string, Verdict> verdicts;
  for (const ProblemResult& result : judge_error_inputs(contract, executor, "Ascend910B1", 1))
    verdicts[result.origin] = result.verdict;
  for (const char* origin : {"error C1", "error C2", "error C3"})
    EXPECT_EQ(verdicts.at(origin), Verdict::kFailed) << origin;  // tried, not skipped
}

TEST(PlanDraws, AnUpperLimitBehindAStepIsBroken) {
  std::string text = kChunks;
  const std::string both = "C2: {rule: \"L % 64 == 0 and L <= 4096\", why: \"whole chunks\"}";
  text.replace(text.find(both), both.size(), "C2: \"L % 64 == 0\"\n  C4: \"L <= 4096\"");
  const OpContract contract = contract_of(text);
  TakesNothing executor;
  for (const ProblemResult& result : judge_error_inputs(contract, executor, "Ascend910B1", 1)) {
    if (result.origin == "error C4") {
      EXPECT_EQ(result.verdict, Verdict::kFailed) << result.reason;
    }
  }
}

TEST(PlanDraws, DefaultsThatDoNothingAreSeldom) {
  const OpContract contract = contract_of(R"yaml(
op: Scaled
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "N"}}
outputs: {y: {dtype: float32, shape: "N"}}
attrs:
  alpha: {type: float, default: 1.0}
  beta: {type: float, default: 0.5}
  activation: {type: string, default: "none", enum: ["none", "relu"]}
reference:
  - {op: Mul, in: [x, $alpha], out: a}
  - {op: Add, in: [a, $beta], out: b}
  - {op: Relu, in: [b], out: y, when: "activation == 'relu'", else: b}
)yaml");
  const auto plan = plan_of(contract, Tier::kCi);
  size_t alpha = 0, beta = 0, activation = 0;
  for (const PlannedProblem& planned : plan) {
    alpha += planned.problem.attrs.at("alpha") == AttrValue(1.0) ? 1 : 0;
    beta += planned.problem.attrs.at("beta") == AttrValue(0.5) ? 1 : 0;
    activation += planned.problem.attrs.at("activation") == AttrValue(std::string("none")) ? 1 : 0;
  }
  EXPECT_GT(alpha, 0u);
  EXPECT_LT(4 * alpha, plan.size());
  EXPECT_GT(activation, 0u);
  EXPECT_LT(4 * activation, plan.size());
  EXPECT_GT(2 * beta, plan.size());  // it does something
}

std::string kind_of(double value, DType dtype) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (value == 0) return std::signbit(value) ? "-0" : "0";
  const double largest = dtype == DType::kFloat16 ? 65504 : 3e38;
  const double normal = dtype == DType::kFloat16 ? 0x1p-14 : 0x1p-126;
  if (std::abs(value) >= largest) return value > 0 ? "largest" : "-largest";
  if (std::abs(value) < normal) return "subnormal";
  return value == 0.5 || value == 1.5 || value == -2.5 ? "tie" : "";
}

TEST(PlanDraws, ASmokeTestHasEveryKindOfSpecialValue) {
  const OpContract contract = contract_of(kBiased);
  std::map<size_t, std::set<std::string>> kinds;
  for (const PlannedProblem& planned : plan_of(contract, Tier::kSmoke)) {
    if (planned.origin != "data class special") continue;
    const auto inputs = make_inputs(contract, planned.problem);
    ASSERT_TRUE(inputs.ok()) << inputs.error().to_string();
    const Tensor& x = (*inputs)[0][0];
    for (int64_t i = 0; i < x.elements(); ++i)
      kinds[planned.problem.column].insert(kind_of(x.at(i), x.dtype()));
  }
  for (const size_t column : {0, 1}) {
    for (const char* kind :
         {"NaN", "inf", "-inf", "0", "-0", "largest", "-largest", "subnormal", "tie"})
      EXPECT_EQ(kinds[column].count(kind), 1u) << kind << " in column " << column;
  }
}

}  // namespace
}  // namespace opkit::verify
