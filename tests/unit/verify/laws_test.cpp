#include "opkit/verify/laws.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "fake_executor.h"
#include "opkit/verify/test_run.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;

OpContract contract_with(const std::string& reference, const std::string& more = "") {
  auto parsed = OpContract::parse(R"(
op: Law
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "S.."}}
outputs: {y: {dtype: float32, shape: "S.."}}
where: {C1: "rank(S) >= 1", C2: "rank(S) <= 4"}
reference: [)" + reference + "]\n" + more,
                                  "op_contract.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  return std::move(parsed).value();
}

Law law_for(const OpContract& contract, Shape x, Shape y) {
  Execution execution;
  execution.inputs = {{Tensor(DType::kFloat32, x, "x")}};
  execution.outputs = {{Tensor(DType::kFloat32, y, "y")}};
  return law_of(contract, *contract.complete({}), execution);
}

TEST(Laws, FollowFromTheReference) {
  EXPECT_EQ(law_for(contract_with("{op: Exp, in: [x], out: y}"), {3, 4}, {3, 4}), Law::kElements);
  EXPECT_EQ(law_for(contract_with("{op: Add, in: [x, {const: 1}], out: y}"), {3, 4}, {3, 4}),
            Law::kElements);
  EXPECT_EQ(law_for(contract_with("{op: Exp, in: [x], out: y}"), {1}, {1}), Law::kNone);
  // A list broadcasts along the last axis.
  EXPECT_EQ(law_for(contract_with("{op: Add, in: [x, {const: [1, 2]}], out: y}"), {3, 2}, {3, 2}),
            Law::kNone);
  EXPECT_EQ(law_for(contract_with("{op: CumSum, in: [x, {const: 0, dtype: int64}], out: y}"),
                    {3, 2}, {3, 2}),
            Law::kNone);
  const std::string softmax = "{op: Softmax, in: [x], out: y}";
  const std::string fixed = "numeric: {order: fixed}\n";
  EXPECT_EQ(law_for(contract_with(softmax), {3, 4}, {3, 4}), Law::kNone);
  EXPECT_EQ(law_for(contract_with(softmax, fixed), {3, 4}, {3, 4}), Law::kRows);
  EXPECT_EQ(law_for(contract_with(softmax, fixed), {4}, {4}), Law::kNone);
  EXPECT_EQ(law_for(contract_with("{op: Softmax, in: [x], out: y, attrs: {axis: 0}}", fixed),
                    {3, 4}, {3, 4}),
            Law::kNone);
}

TestReport run(const OpContract& contract, FakeExecutor::Kernel kernel) {
  FakeExecutor executor(std::move(kernel));
  TestRequest request;
  request.contract = &contract;
  request.executor = &executor;
  request.tier = Tier::kSmoke;
  Progress progress;
  auto report = run_tests(request, progress);
  EXPECT_TRUE(report.ok()) << report.error().to_string();
  return std::move(report).value();
}

void exponents(FakeCall& call) {
  for (int64_t i = 0; i < call.out().elements(); ++i) call.out().set(i, std::exp(call.in(0).at(i)));
}

// Within the bound of Exp, but the tail is computed in another way.
TEST(Laws, TailOfItsOwnIsFoundThoughItsValuesAreAccepted) {
  const OpContract contract = contract_with("{op: Exp, in: [x], out: y}");
  EXPECT_EQ(run(contract, exponents).verdict, Verdict::kPassed);
  const TestReport report = run(contract, [](FakeCall& call) {
    exponents(call);
    auto y = call.out().as<float>();
    for (size_t i = y.size() / 8 * 8; i < y.size(); ++i)
      if (std::isfinite(y[i]) && y[i] > 1e-30f) y[i] = std::nextafter(y[i], 2 * y[i]);
  });
  ASSERT_EQ(report.verdict, Verdict::kFailed) << report_text(report);
  EXPECT_EQ(report.failures.front().smallest.code, "OPK-VERIFY-027") << report_text(report);
  EXPECT_THAT(report.failures.front().smallest.reason,
              HasSubstr("the elements of y depend on where they lie"));
}

void softmax(FakeCall& call, bool even_rows_backwards) {
  const auto x = call.in(0).as<float>();
  auto y = call.out().as<float>();
  const Shape& shape = call.out().shape();
  const size_t n = static_cast<size_t>(shape[shape.rank() - 1]);
  for (size_t row = 0; n > 0 && row < x.size() / n; ++row) {
    const float most = *std::max_element(x.data() + row * n, x.data() + (row + 1) * n);
    float sum = 0;
    for (size_t k = 0; k < n; ++k) {
      const size_t at = even_rows_backwards && row % 2 == 0 ? n - 1 - k : k;
      sum += y[row * n + at] = std::exp(x[row * n + at] - most);
    }
    for (size_t k = 0; k < n; ++k) y[row * n + k] /= sum;
  }
}

TEST(Laws, RowsAreToldApartWhenTheOrderOfSumsIsFixed) {
  Invocation call;
  Execution first;
  const auto broken = [&](const OpContract& contract, bool backwards) {
    FakeExecutor executor([=](FakeCall& c) { softmax(c, backwards); });
    call.contract = &contract;
    Tensor x(DType::kFloat32, Shape{5, 1000}, "x");
    for (int64_t i = 0; i < x.elements(); ++i) x.set(i, std::sin(static_cast<double>(i)));
    call.inputs = {{x}};
    first = std::move(executor.run(call)).value();
    return break_law(executor, call, first);
  };
  const OpContract fixed =
      contract_with("{op: Softmax, in: [x], out: y}", "numeric: {order: fixed}\n");
  const OpContract any = contract_with("{op: Softmax, in: [x], out: y}");
  EXPECT_FALSE(broken(fixed, false));
  const auto error = broken(fixed, true);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, "OPK-VERIFY-027");
  EXPECT_THAT(error->message, HasSubstr("the rows of y"));
  EXPECT_FALSE(broken(any, true));
}

}  // namespace
}  // namespace opkit::verify
