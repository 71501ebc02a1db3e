// The sign of zero: compared where the reference leaves a kernel no choice, and nowhere else.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "fake_executor.h"
#include "opkit/verify/judge.h"
#include "parsed_contract.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;

// A reference reads all inputs of its contract: y and c are there where it names them.
bool reads_y(const std::string& reference) { return reference.find(" y") != std::string::npos; }
bool reads_c(const std::string& reference) { return reference.find("[c,") != std::string::npos; }

OpContract contract_with(const std::string& reference, const std::string& more = "") {
  std::string text = R"yaml(
op: Zeros
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "N"}
)yaml";
  if (reads_y(reference)) text += "  y: {dtype: T, shape: \"N\"}\n";
  if (reads_c(reference)) text += "  c: {dtype: bool, shape: \"N\"}\n";
  text += "outputs:\n  z: {dtype: T, shape: \"N\"}\ntypes: {T: [float16, float32]}\n";
  return contract_of(text + more + "reference:\n" + reference);
}

using Element = double (*)(double x, double y, bool c);

// Judged on integers with zeros of both signs, and on special values.
ProblemResult judged(const OpContract& contract, Element element) {
  const bool has_y = contract.input("y") != nullptr, has_c = contract.input("c") != nullptr;
  FakeExecutor executor([&](FakeCall& call) {
    for (int64_t i = 0; i < call.out().elements(); ++i) {
      const double y = has_y ? call.in(1).at(i) : 0;
      const bool c = has_c && call.in(has_y ? 2 : 1).at(i) != 0;
      call.out().set(i, element(call.in(0).at(i), y, c));
    }
  });
  ProblemResult result;
  for (const DataClass data : {DataClass::kExactInteger, DataClass::kSpecial}) {
    for (size_t column = 0; column < 2; ++column) {
      Problem problem;
      problem.soc = "Ascend910B1";
      problem.column = column;
      problem.symbols.dims["N"] = 1024;
      problem.attrs = contract.complete({}).value();
      problem.data = data;
      result = judge(contract, executor, problem);
      if (result.verdict == Verdict::kFailed) return result;
    }
  }
  return result;
}

void expect_wrong(const std::string& reference, Element element) {
  const ProblemResult result = judged(contract_with(reference), element);
  EXPECT_EQ(result.verdict, Verdict::kFailed) << reference;
  EXPECT_EQ(result.code, "OPK-VERIFY-022") << reference;
  EXPECT_THAT(result.reason, HasSubstr("have the wrong sign")) << reference;
}

void expect_right(const std::string& reference, Element element, const std::string& more = "") {
  const ProblemResult result = judged(contract_with(reference, more), element);
  EXPECT_NE(result.verdict, Verdict::kFailed) << reference << result.reason;
}

constexpr const char* kNeg = "  - {op: Neg, in: [x], out: z}\n";
constexpr const char* kMul = "  - {op: Mul, in: [x, y], out: z}\n";
constexpr const char* kAdd = "  - {op: Add, in: [x, y], out: z}\n";
constexpr const char* kWhere = "  - {op: Where, in: [c, x, y], out: z}\n";

TEST(ZeroSign, IsThatOfTheOperation) {
  expect_right(kNeg, [](double x, double, bool) { return -x; });
  expect_wrong(kNeg, [](double x, double, bool) { return 0 - x; });
  expect_right(kMul, [](double x, double y, bool) { return x * y; });
  expect_wrong(kMul, [](double x, double y, bool) { return x * y + 0.0; });
  expect_right(kAdd, [](double x, double y, bool) { return x + y; });
  expect_wrong(kAdd, [](double x, double y, bool) { return -(-x - y); });
  expect_right(kWhere, [](double x, double y, bool c) { return c ? x : y; });
  expect_wrong(kWhere, [](double x, double y, bool c) { return (c ? x : y) + 0.0; });
  expect_wrong("  - {op: Abs, in: [x], out: z}\n",
               [](double x, double, bool) { return x == 0 ? -0.0 : std::abs(x); });
  expect_wrong("  - {op: Identity, in: [x], out: z}\n",
               [](double x, double, bool) { return x + 0.0; });
}

TEST(ZeroSign, ScalingKeepsIt) {
  const char* reference = "  - {op: Mul, in: [x, {const: -2}], out: z}\n";
  expect_right(reference, [](double x, double, bool) { return x * -2; });
  expect_wrong(reference, [](double x, double, bool) { return x * -2 + 0.0; });
}

TEST(ZeroSign, OfAChoiceIsOpen) {
  const char* clipped = "  - {op: Relu, in: [x], out: z}\n";
  expect_right(clipped, [](double x, double, bool) { return x <= 0 ? 0.0 : x; });
  expect_right(clipped, [](double x, double, bool) { return x <= 0 ? -0.0 : x; });
  const char* most = "  - {op: Max, in: [x, y], out: z}\n";
  expect_right(most, [](double x, double y, bool) {
    return std::isnan(x) || std::isnan(y) ? NAN : x > y ? x : y;
  });
  expect_right(most, [](double x, double y, bool) {
    return std::isnan(x) || std::isnan(y) ? NAN : y > x ? y : x;
  });
  const char* compared =
      "  - {op: Greater, in: [x, y], out: g}\n"
      "  - {op: Where, in: [g, x, y], out: z}\n";
  expect_right(compared, [](double x, double y, bool) { return x >= y ? x : y; });
}

// Right kernels in other orders: b - a, a mask that multiplies, a sum that starts at 0.
TEST(ZeroSign, OfWhatMayBeReorderedIsOpen) {
  expect_right(
      "  - {op: Sub, in: [x, y], out: d}\n"
      "  - {op: Neg, in: [d], out: z}\n",
      [](double x, double y, bool) { return y - x; });
  expect_right("  - {op: Sub, in: [{const: 1}, x], out: z}\n",
               [](double x, double, bool) { return -(x - 1); });
  expect_right(
      "  - {op: CastLike, in: [c, x], out: m}\n"
      "  - {op: Mul, in: [x, m], out: z}\n",
      [](double x, double, bool c) { return c || !std::isfinite(x) ? (c ? x : NAN) : 0.0; });
  expect_right(
      "  - {op: Mul, in: [x, $alpha], out: z}\n",
      [](double x, double, bool) { return std::isfinite(x) ? 0.0 : NAN; },
      "attrs: {alpha: {type: float, default: 0.0}}\n");
  expect_right("  - {op: Round, in: [x], out: z}\n",
               [](double x, double, bool) { return std::nearbyint(x) + 0.0; });
}

}  // namespace
}  // namespace opkit::verify
