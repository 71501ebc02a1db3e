#include "opkit/verify/test_run.h"

#include <gmock/gmock.h>

#include "fake_executor.h"
#include "opkit/base/file.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;

constexpr const char* kAddRelu = R"(
op: AddRelu
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "S..", format: ND}
  y: {dtype: T, shape: "S..", format: ND}
outputs:
  z: {dtype: T, shape: "S..", format: ND}
types: {T: [float16, float32, bfloat16]}
where: {C1: "rank(S) <= 8", C2: "prod(S) < 2**31"}
reference:
  - {op: Add, in: [x, y], out: sum}
  - {op: Relu, in: [sum], out: z}
soc: [Ascend910B]
)";

OpContract contract_of(const std::string& text) {
  auto parsed = OpContract::parse(text, "op_contract.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  return std::move(parsed).value();
}

void add_relu(FakeCall& call) {
  for (int64_t i = 0; i < call.out().elements(); ++i) {
    const double sum = call.in(0).at(i) + call.in(1).at(i);
    call.out().set(i, sum < 0 ? 0 : sum);
  }
}

TestReport run(const OpContract& contract, FakeExecutor& executor, Tier tier = Tier::kSmoke) {
  TestRequest request;
  request.contract = &contract;
  request.executor = &executor;
  request.tier = tier;
  Progress progress;
  auto report = run_tests(request, progress);
  EXPECT_TRUE(report.ok()) << report.error().to_string();
  return std::move(report).value();
}

TEST(TestRun, RightKernelPasses) {
  const OpContract contract = contract_of(kAddRelu);
  FakeExecutor executor(add_relu);
  const TestReport report = run(contract, executor);
  EXPECT_EQ(report.verdict, Verdict::kPassed) << report_text(report);
  EXPECT_TRUE(report.coverage.missing.empty()) << report_text(report);
}

}  // namespace
}  // namespace opkit::verify
