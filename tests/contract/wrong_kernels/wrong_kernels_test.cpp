// Kernels that are wrong in one way each. The driver must fail every one of them in its quickest
// tier, say what is wrong, and come up with a small problem whose line fails again.
#include <gmock/gmock.h>

#include <cmath>

#include "opkit/oracle/float_format.h"
#include "opkit/verify/judge.h"
#include "opkit/verify/test_run.h"
#include "tests/unit/verify/fake_executor.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;

constexpr const char* kElementwise = R"(
op: ScaleAdd
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "S..", format: ND}
  y: {dtype: T, shape: "S..", format: ND}
outputs:
  z: {dtype: T, shape: "S..", format: ND}
types: {T: [float16, float32]}
attrs:
  alpha: {type: float, default: 1.0, range: [-8, 8]}
where: {C1: "rank(S) <= 8", C2: "prod(S) < 2**31"}
reference:
  - {op: Mul, in: [x, $alpha], out: scaled}
  - {op: Add, in: [scaled, y], out: z}
soc: [Ascend910B]
)";

constexpr const char* kBias = R"(
op: RowBias
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "M, N", format: ND}
  b: {dtype: T, shape: "N", format: ND}
outputs:
  z: {dtype: T, shape: "M, N", format: ND}
types: {T: [float16, float32]}
where: {C1: "1 <= M and 1 <= N"}
reference:
  - {op: Add, in: [x, b], out: z}
soc: [Ascend910B]
)";

constexpr const char* kMatMul = R"(
op: PlainMatMul
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "M, K", format: ND}
  w: {dtype: T, shape: "K, N", format: ND}
outputs:
  z: {dtype: T, shape: "M, N", format: ND}
types: {T: [float16]}
where: {C1: "1 <= M <= 4 and 1 <= N <= 4 and 1 <= K <= 4096"}
reference:
  - {op: MatMul, in: [x, w], out: z}
numeric: {accumulate: float32}
soc: [Ascend910B]
)";

constexpr const char* kQuantize = R"(
op: ToInt8
version: "1.0.0"
inputs:
  x: {dtype: float16, shape: "S..", format: ND}
outputs:
  z: {dtype: int8, shape: "S..", format: ND}
where: {C1: "rank(S) <= 8"}
reference:
  - {op: Round, in: [x], out: whole}
  - {op: Clip, in: [whole, {const: -128}, {const: 127}], out: inside}
  - {op: Cast, in: [inside], out: z, attrs: {to: int8}}
numeric: {overflow: saturate, nan: unspecified}
soc: [Ascend910B]
)";

double right_at(FakeCall& call, int64_t i) {
  const DType dtype = call.in(0).dtype();
  const double scaled = oracle::round_to(dtype, call.in(0).at(i) * call.attr("alpha"), false);
  return scaled + call.in(1).at(i);
}

template <typename F>
void each(FakeCall& call, F element) {
  for (int64_t i = 0; i < call.out().elements(); ++i) call.out().set(i, element(i));
}

void matmul(FakeCall& call, bool narrow) {
  const int64_t m = call.in(0).shape()[0], k = call.in(0).shape()[1], n = call.in(1).shape()[1];
  for (int64_t i = 0; i < m * n; ++i) {
    double sum = 0;
    for (int64_t t = 0; t < k; ++t) {
      sum += call.in(0).at(i / n * k + t) * call.in(1).at(t * n + i % n);
      sum = oracle::round_to(narrow ? DType::kFloat16 : DType::kFloat32, sum, false);
    }
    call.out().set(i, sum);
  }
}

// A float value cut off to the type, in place of rounded.
double truncated(DType dtype, double x) { return oracle::round_to(dtype, x, false, "trunc"); }

struct WrongKernel {
  const char* name;
  const char* contract;
  FakeExecutor::Kernel kernel;
  const char* words;      // stand in the reason of the failure
  int64_t most_elements;  // limits the smallest problem's tensors together
};

std::vector<WrongKernel> wrong_kernels() {
  static int calls = 0;
  return {
      {"AllZeros", kElementwise, [](FakeCall& c) { each(c, [](int64_t) { return 0.0; }); },
       "expected", 3},
      {"CopiesItsInput", kElementwise,
       [](FakeCall& c) { each(c, [&](int64_t i) { return c.in(0).at(i); }); }, "expected", 3},
      {"OnlyMultiplesOf16", kElementwise,
       [](FakeCall& c) {
         const int64_t whole = c.out().elements() / 16 * 16;
         for (int64_t i = 0; i < whole; ++i) c.out().set(i, right_at(c, i));
       },
       "never written", 3},
      {"OnlyPositiveData", kElementwise,
       [](FakeCall& c) { each(c, [&](int64_t i) { return std::abs(right_at(c, i)); }); },
       "expected -", 12},
      {"HalfAccumulator", kMatMul, [](FakeCall& c) { matmul(c, true); }, "ulps off", 20000},
      {"WrongBroadcastAxis", kBias,
       [](FakeCall& c) {
         const int64_t n = c.in(1).elements();
         each(c, [&](int64_t i) { return c.in(0).at(i) + c.in(1).at(i / n % n); });
       },
       "expected", 20},
      {"IgnoresAlpha", kElementwise,
       [](FakeCall& c) { each(c, [&](int64_t i) { return c.in(0).at(i) + c.in(1).at(i); }); },
       "expected", 6},
      {"OneElementTooFar", kElementwise,
       [](FakeCall& c) {
         const int64_t last = c.out().elements() - 1;
         each(c, [&](int64_t i) { return i == last ? 1e4 : right_at(c, i); });
       },
       "got 10000", 3},
      {"WritesIntoItsInput", kElementwise,
       [](FakeCall& c) {
         each(c, [&](int64_t i) { return right_at(c, i); });
         if (c.out().elements() > 0) c.in(1).set(0, c.out().at(0) + 1);
       },
       "changed its input y", 3},
      {"DependsOnThePreviousCall", kElementwise,
       [](FakeCall& c) {
         const double extra = ++calls % 2;
         each(c, [&](int64_t i) { return right_at(c, i) + extra; });
       },
       "depends on earlier calls", 3},
      {"DependsOnThreads", kElementwise,
       [](FakeCall& c) { each(c, [&](int64_t i) { return right_at(c, i) + c.threads; }); },
       "depends on the order in which blocks run", 3},
      {"TruncatesItsResult", kElementwise,
       [](FakeCall& c) {
         each(c, [&](int64_t i) { return truncated(c.out().dtype(), right_at(c, i)); });
       },
       "ulps off", 12},
      {"WrapsInsteadOfSaturating", kQuantize,
       [](FakeCall& c) {
         each(c, [&](int64_t i) {
           const double x = std::nearbyint(c.in(0).at(i));
           return std::isfinite(x)
                      ? static_cast<double>(static_cast<int8_t>(static_cast<int64_t>(x)))
                      : 0.0;
         });
       },
       "expected", 8},
      {"SwallowsNaN", kElementwise,
       [](FakeCall& c) {
         each(c, [&](int64_t i) {
           const double z = right_at(c, i);
           return std::isnan(z) ? 0 : z;
         });
       },
       "expected nan", 40},
  };
}

void PrintTo(const WrongKernel& kernel, std::ostream* out) { *out << kernel.name; }

class WrongKernels : public testing::TestWithParam<WrongKernel> {};

OpContract contract_of(const char* text) {
  auto parsed = OpContract::parse(text, "op_contract.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  return std::move(parsed).value();
}

Result<TestReport> test(const OpContract& contract, FakeExecutor::Kernel kernel,
                        const std::string& line = {}) {
  FakeExecutor executor(std::move(kernel));
  TestRequest request;
  request.contract = &contract;
  request.executor = &executor;
  request.tier = Tier::kSmoke;
  request.line = line;
  Progress progress;
  return run_tests(request, progress);
}

TEST_P(WrongKernels, FailsWithTheRightWordsAndASmallProblem) {
  const OpContract contract = contract_of(GetParam().contract);
  const auto report = test(contract, GetParam().kernel);
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  ASSERT_EQ(report->verdict, Verdict::kFailed) << report_text(*report);
  ASSERT_FALSE(report->failures.empty());
  const ProblemResult& smallest = report->failures.front().smallest;
  EXPECT_THAT(smallest.reason, HasSubstr(GetParam().words)) << report_text(*report);
  EXPECT_LE(smallest.elements, GetParam().most_elements) << report_text(*report);

  const auto again = test(contract, GetParam().kernel, smallest.line);
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_EQ(again->verdict, Verdict::kFailed) << smallest.line;
}

INSTANTIATE_TEST_SUITE_P(Each, WrongKernels, testing::ValuesIn(wrong_kernels()),
                         [](const auto& info) { return std::string(info.param.name); });

struct RightKernel {
  const char* name;
  const char* contract;
  FakeExecutor::Kernel kernel;
};

void PrintTo(const RightKernel& kernel, std::ostream* out) { *out << kernel.name; }

class RightKernels : public testing::TestWithParam<RightKernel> {};

TEST_P(RightKernels, PassTheCiTier) {
  const OpContract contract = contract_of(GetParam().contract);
  FakeExecutor executor(GetParam().kernel);
  TestRequest request;
  request.contract = &contract;
  request.executor = &executor;
  request.tier = Tier::kCi;
  Progress progress;
  const auto report = run_tests(request, progress);
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  EXPECT_EQ(report->verdict, Verdict::kPassed) << report_text(*report);
}

INSTANTIATE_TEST_SUITE_P(
    Each, RightKernels,
    testing::Values(
        RightKernel{"ScaleAdd", kElementwise,
                    [](FakeCall& c) { each(c, [&](int64_t i) { return right_at(c, i); }); }},
        RightKernel{"RowBias", kBias,
                    [](FakeCall& c) {
                      const int64_t n = c.in(1).elements();
                      each(c, [&](int64_t i) { return c.in(0).at(i) + c.in(1).at(i % n); });
                    }},
        RightKernel{"MatMul", kMatMul, [](FakeCall& c) { matmul(c, false); }},
        RightKernel{"ToInt8", kQuantize,
                    [](FakeCall& c) {
                      each(c, [&](int64_t i) {
                        const double x = std::nearbyint(c.in(0).at(i));
                        return std::isnan(x) ? 0 : std::clamp(x, -128.0, 127.0);
                      });
                    }}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace opkit::verify
