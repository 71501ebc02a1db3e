// Problems that are judged in parts: the same verdicts and figures as at once, in bounded memory.
#include "opkit/verify/large_problem.h"

#include <gmock/gmock.h>

#include <cmath>

#include "fake_executor.h"
#include "opkit/call/execute/execution.h"
#include "opkit/verify/judge.h"
#include "parsed_contract.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;

const char* const kScaled = R"yaml(
op: Scaled
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "M, N"}
  b: {dtype: T, shape: "N"}
outputs:
  y: {dtype: T, shape: "M, N"}
types: {T: [float32]}
reference:
  - {op: Mul, in: [x, {const: 0.3}], out: t}
  - {op: Add, in: [t, b], out: y}
soc: [Ascend910B]
)yaml";

Problem problem_of(int64_t m, int64_t n) {
  Problem problem;
  problem.soc = "Ascend910B1";
  problem.symbols.dims["M"] = m;
  problem.symbols.dims["N"] = n;
  return problem;
}

// Fills what has no memory, as executors of chips do.
class Filling : public FakeExecutor {
 public:
  using FakeExecutor::FakeExecutor;
  Result<Execution> run(Invocation invocation) override {
    fill_inputs(invocation);
    return FakeExecutor::run(std::move(invocation));
  }
};

void scaled(FakeCall& call) {
  const int64_t n = call.in(1).elements();
  for (int64_t i = 0; i < call.out().elements(); ++i) {
    const auto x = static_cast<float>(call.in(0).at(i));
    const auto b = static_cast<float>(call.in(1).at(i % n));
    call.out().set(i, x * 0.3f + b);
  }
}

ProblemResult in_parts(const FakeExecutor::Kernel& kernel, const Problem& problem,
                       LargeWork work = {}) {
  static const OpContract contract = contract_of(kScaled);
  Filling executor(kernel);
  work.part = 64;
  return judge_large(contract, executor, problem, work);
}

TEST(LargeProblem, IsJudgedAsAtOnce) {
  const OpContract contract = contract_of(kScaled);
  Filling executor(scaled);
  const Problem problem = problem_of(37, 11);
  const ProblemResult whole = judge(contract, executor, problem);
  const ProblemResult parts = in_parts(scaled, problem);
  ASSERT_EQ(whole.verdict, Verdict::kPassed) << whole.reason;
  ASSERT_EQ(parts.verdict, Verdict::kPassed) << parts.reason;
  EXPECT_EQ(parts.input_digest, whole.input_digest);
  EXPECT_EQ(parts.output_digest, whole.output_digest);
  EXPECT_EQ(parts.elements, whole.elements);
  EXPECT_EQ(parts.shapes, whole.shapes);
  ASSERT_EQ(parts.outputs.size(), 1u);
  const oracle::Comparison &a = parts.outputs[0], &b = whole.outputs[0];
  EXPECT_EQ(a.elements, b.elements);
  EXPECT_EQ(a.histogram, b.histogram);
  EXPECT_EQ(a.bound_used, b.bound_used);
  EXPECT_EQ(a.inexact, b.inexact);
  EXPECT_EQ(a.max_ulps, b.max_ulps);
  EXPECT_NEAR(a.bias, b.bias, 1e-12);
  EXPECT_EQ(a.tolerance_share, b.tolerance_share);
  EXPECT_NEAR(a.vendor.mere, b.vendor.mere, 1e-18);
  EXPECT_EQ(a.vendor.mare, b.vendor.mare);
  EXPECT_EQ(a.trivial, b.trivial);
}

TEST(LargeProblem, FindsOneWrongElementInAnyPart) {
  for (const int64_t wrong : {0, 200, 37 * 11 - 1}) {
    const ProblemResult result = in_parts(
        [wrong](FakeCall& call) {
          scaled(call);
          call.out().set(wrong, 1000);
        },
        problem_of(37, 11));
    EXPECT_EQ(result.verdict, Verdict::kFailed);
    EXPECT_EQ(result.code, "OPK-VERIFY-022");
    EXPECT_THAT(result.reason,
                HasSubstr("1 of 407 elements wrong; at [" + std::to_string(wrong / 11) + ", " +
                          std::to_string(wrong % 11) + "]"));
  }
}

TEST(LargeProblem, RunsMustAgreeAndInputsStay) {
  EXPECT_EQ(in_parts(
                [](FakeCall& call) {
                  scaled(call);
                  if (call.threads > 1) call.out().set(3, 7);
                },
                problem_of(37, 11))
                .code,
            "OPK-VERIFY-021");
  EXPECT_EQ(in_parts(
                [](FakeCall& call) {
                  scaled(call);
                  call.in(1).set(0, 5);
                },
                problem_of(37, 11))
                .code,
            "OPK-VERIFY-020");
}

TEST(LargeProblem, TellsHowFarItIsAndEndsWhenAsked) {
  std::vector<std::string> stages;
  int64_t last = 0, of = 0;
  LargeWork work;
  work.begin = [&](const std::string& stage) { stages.push_back(stage); };
  work.compared = [&](int64_t done, int64_t parts) { last = done, of = parts; };
  EXPECT_EQ(in_parts(scaled, problem_of(37, 11), work).verdict, Verdict::kPassed);
  EXPECT_THAT(stages,
              testing::ElementsAre("running, 1 of 2", HasSubstr("making x: float32"),
                                   HasSubstr("making b"), "running, 2 of 2", HasSubstr("making x"),
                                   HasSubstr("making b"), "comparing"));
  EXPECT_EQ(last, 8);  // 37 rows of 11, five in a part
  EXPECT_EQ(of, 8);
  work.cancelled = [&] { return last > 0; };
  last = 0;
  EXPECT_EQ(in_parts(scaled, problem_of(37, 11), work).verdict, Verdict::kSkipped);
  EXPECT_LT(last, 8);
}

TEST(LargeProblem, AKernelThatComputesNothingIsNotTrusted) {
  static const OpContract contract = contract_of(R"yaml(
op: Same
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "M, N"}
outputs:
  y: {dtype: T, shape: "M, N"}
types: {T: [float32]}
reference:
  - {op: Identity, in: [x], out: y}
soc: [Ascend910B]
)yaml");
  Filling executor([](FakeCall& call) { call.out() = call.in(0); });
  LargeWork work;
  work.part = 64;
  const ProblemResult result = judge_large(contract, executor, problem_of(37, 11), work);
  EXPECT_EQ(result.verdict, Verdict::kMistrusted);
  EXPECT_THAT(result.reason, HasSubstr("copy of x"));
}

// More than 2^24 elements, so that judge() itself goes this way; nothing is made or run.
TEST(LargeProblem, AReferenceThatNeedsItsOperandsWholeIsSaidSo) {
  const OpContract contract = contract_of(R"yaml(
op: Sums
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "N"}
outputs:
  y: {dtype: T, shape: "N"}
types: {T: [float32]}
reference:
  - {op: CumSum, in: [x, {const: 0, dtype: int64}], out: y}
soc: [Ascend910B]
)yaml");
  Filling executor([](FakeCall&) {});
  Problem problem = problem_of(1, 20'000'000);
  problem.symbols.dims.erase("M");
  const ProblemResult result = judge(contract, executor, problem);
  EXPECT_EQ(result.verdict, Verdict::kSkipped);
  EXPECT_EQ(result.code, "OPK-VERIFY-014");
  EXPECT_THAT(result.reason, HasSubstr("node y (CumSum) needs its operands whole"));
  EXPECT_THAT(result.reason, HasSubstr("op_contract.yaml:10"));
  EXPECT_EQ(executor.runs, 0);
}

}  // namespace
}  // namespace opkit::verify
