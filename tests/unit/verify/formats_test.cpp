// Fractal formats, and operators without a rule under a manual tolerance.
#include <gmock/gmock.h>

#include <cmath>

#include "fake_executor.h"
#include "opkit/verify/judge.h"
#include "opkit/verify/test_run.h"
#include "parsed_contract.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;

TestReport run(const OpContract& contract, FakeExecutor& executor) {
  TestRequest request;
  request.contract = &contract;
  request.executor = &executor;
  request.tier = Tier::kSmoke;
  Progress progress;
  auto report = run_tests(request, progress);
  EXPECT_TRUE(report.ok()) << report.error().to_string();
  return std::move(report).value();
}

// A function in place of a kernel gets dense tensors in every format.
TEST(Formats, ColumnsOfFractalFormatsAreTested) {
  const OpContract op = contract_of(R"(
op: Negate
version: "1.0.0"
inputs: {x: {dtype: float16, shape: "S..", format: F}}
outputs: {y: {dtype: float16, shape: "S..", format: F}}
columns: [{F: ND}, {F: FRACTAL_NZ}]
where: {C1: "1 <= rank(S) <= 3"}
reference: [{op: Neg, in: [x], out: y}]
)");
  FakeExecutor executor([](FakeCall& call) {
    for (int64_t i = 0; i < call.out().elements(); ++i) call.out().set(i, -call.in(0).at(i));
  });
  const TestReport report = run(op, executor);
  EXPECT_EQ(report.verdict, Verdict::kPassed) << report_text(report);
  int64_t passed = 0, skipped = 0;
  for (const ProblemResult& result : report.results) {
    if (result.problem.column != 1 || result.origin.rfind("error", 0) == 0) continue;
    // What the format cannot store is counted, with the port and the reason.
    const size_t rank = result.problem.symbols.lists.at("S").size();
    EXPECT_EQ(result.verdict == Verdict::kSkipped, rank < 2) << result.line;
    if (rank < 2) {
      EXPECT_THAT(result.reason, HasSubstr("x: a tensor in FRACTAL_NZ has 2 dims or more, not"));
    }
    ++(rank < 2 ? skipped : passed);
  }
  EXPECT_GT(passed, 10);
  EXPECT_GT(skipped, 10);
  EXPECT_EQ(report.counts.at(Verdict::kSkipped), skipped);
  // Columns that differ in formats only; a format of no column is refused like a dtype of none.
  bool refused = false;
  for (const ProblemResult& result : report.results) {
    EXPECT_NE(result.origin, "error dtype x float16");
    EXPECT_NE(result.origin, "error format x FRACTAL_NZ");
    refused =
        refused || (result.origin == "error format x NCHW" && result.verdict == Verdict::kRefused);
  }
  EXPECT_TRUE(refused) << report_text(report);
}

// Acos has no rule.
std::string arc_cosine(const std::string& tolerance) {
  return R"(
op: ArcCosine
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "N", values: [-1, 1]}}
outputs: {y: {dtype: float32, shape: "N"}}
reference: [{op: Acos, in: [x], out: y}]
)" + tolerance;
}

void acos_with(FakeCall& call, double error) {
  for (int64_t i = 0; i < call.out().elements(); ++i)
    call.out().set(i, std::acos(call.in(0).at(i)) + error);
}

TEST(ManualTolerance, JudgesOperatorsWithoutARule) {
  const OpContract derived = contract_of(arc_cosine(""));
  FakeExecutor right([](FakeCall& call) { acos_with(call, 5e-4); });
  const TestReport unknown = run(derived, right);
  EXPECT_EQ(unknown.verdict, Verdict::kUnimplemented);
  // The text says why, and where.
  EXPECT_THAT(report_text(unknown),
              HasSubstr("UNIMPLEMENTED (no error bound is known for the operator Acos (node y, "));
  EXPECT_THAT(report_text(unknown), HasSubstr(".yaml:6:"));

  const OpContract manual = contract_of(
      arc_cosine("tolerance: {value: 0, absolute: 0.001, reason: \"a table of 1024 steps\"}\n"));
  const TestReport passed = run(manual, right);
  EXPECT_EQ(passed.verdict, Verdict::kPassed) << report_text(passed);
  EXPECT_THAT(report_text(passed), HasSubstr("a table of 1024 steps"));
  FakeExecutor wrong([](FakeCall& call) { acos_with(call, 2e-3); });
  EXPECT_EQ(run(manual, wrong).verdict, Verdict::kFailed);
}

}  // namespace
}  // namespace opkit::verify
