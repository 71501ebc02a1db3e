// Sums that a kernel goes on with: a product that starts from its bias, and overflow on the way.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

#include "opkit/oracle/accept.h"
#include "opkit/oracle/evaluate_bounded.h"

namespace opkit::oracle {
namespace {

constexpr double kLargest = std::numeric_limits<float>::max();
constexpr float kInf = std::numeric_limits<float>::infinity();

struct Operands {
  std::vector<float> x, w, bias;  // [1, K], [K, N], [N]
};

// Returns what z may be, of a reference in which `steps` follow product = x * w.
std::vector<Interval> accepted(const std::string& steps, const Operands& operands) {
  const std::string text = R"(
op: Fused
version: "1.0.0"
inputs:
  x: {dtype: float32, shape: "M, K"}
  w: {dtype: float32, shape: "K, N"}
  bias: {dtype: float32, shape: "N"}
outputs:
  z: {dtype: float32, shape: "M, N"}
numeric: {accumulate: float32}
reference:
  - {op: MatMul, in: [x, w], out: product}
)" + steps;
  const auto contract = OpContract::parse(text, "c.yaml");
  EXPECT_TRUE(contract.ok()) << contract.error().to_string();
  const auto k = static_cast<int64_t>(operands.x.size());
  const auto n = static_cast<int64_t>(operands.bias.size());
  std::vector<std::vector<Tensor>> inputs;
  const auto add = [&](const std::vector<float>& values, Shape shape) {
    Tensor tensor(DType::kFloat32, std::move(shape));
    std::copy(values.begin(), values.end(), tensor.as<float>().begin());
    inputs.push_back({std::move(tensor)});
  };
  add(operands.x, {1, k});
  add(operands.w, {k, n});
  add(operands.bias, {n});
  OracleCall call{&*contract, &inputs, {}, {}};
  call.symbols.dims = {{"M", 1}, {"K", k}, {"N", n}};
  const auto z = evaluate_bounded(call);
  EXPECT_TRUE(z.ok()) << z.error().to_string();
  const Acceptance accept(*contract, 0, DType::kFloat32);
  std::vector<Interval> all;
  for (int64_t i = 0; i < n; ++i) all.push_back(accept.of((*z)[0][0].at(i), (*z)[0][0].value[i]));
  return all;
}

constexpr const char* kBias = "  - {op: Add, in: [product, bias], out: z}\n";

// Fused multiply-adds that start from `start`.
float chain(const Operands& o, size_t column, float start) {
  float sum = start;
  for (size_t k = 0; k < o.x.size(); ++k)
    sum = std::fma(o.x[k], o.w[k * o.bias.size() + column], sum);
  return sum;
}

Operands drawn(size_t k, size_t n, float scale_of_bias) {
  std::mt19937 draw(5);
  std::uniform_real_distribution<float> unit(-1, 1);
  Operands o;
  for (size_t i = 0; i < k; ++i) o.x.push_back(unit(draw));
  for (size_t i = 0; i < k * n; ++i) o.w.push_back(unit(draw));
  for (size_t i = 0; i < n; ++i) o.bias.push_back(scale_of_bias * unit(draw));
  return o;
}

TEST(FusedSum, AProductMayStartFromItsBias) {
  for (const float scale : {1e-3f, 1.0f, 1e3f}) {
    for (const size_t k : {2u, 7u, 64u}) {
      const Operands o = drawn(k, 300, scale);
      for (const char* steps : {kBias, "  - {op: Add, in: [bias, product], out: z}\n",
                                "  - {op: Cast, in: [product], out: same, attrs: {to: 1}}\n"
                                "  - {op: Add, in: [same, bias], out: z}\n"}) {
        const std::vector<Interval> z = accepted(steps, o);
        int64_t differ = 0;
        for (size_t i = 0; i < z.size(); ++i) {
          const float first = chain(o, i, o.bias[i]), last = chain(o, i, 0) + o.bias[i];
          ASSERT_TRUE(z[i].contains(first)) << scale << " K=" << k << " " << i;
          ASSERT_TRUE(z[i].contains(last));
          differ += first != last ? 1 : 0;
          // Not more than the sum's own bound, twice.
          double magnitude = std::abs(o.bias[i]);
          for (size_t j = 0; j < k; ++j) magnitude += std::abs(o.x[j] * o.w[j * 300 + i]);
          const double bound = (static_cast<double>(k) + 2) * 0x1p-24 * magnitude;
          EXPECT_LE(z[i].hi - z[i].lo, 4 * bound + 1e-30);
        }
        EXPECT_GT(differ, 10) << "the two orders must be told apart";
      }
    }
  }
}

TEST(FusedSum, ExactTermsStayExact) {
  const std::vector<Interval> z = accepted(kBias, {{3, -2, 4}, {1, 2, 3}, {7}});
  EXPECT_TRUE(z[0].is_point());
  EXPECT_EQ(z[0].lo, 3 - 4 + 12 + 7);
}

// What follows is no longer a term.
TEST(FusedSum, AFactorEndsTheSum) {
  const Operands o = drawn(2, 50, 1e3f);
  const std::vector<Interval> z = accepted(
      "  - {op: Mul, in: [product, {const: 3}], out: tripled}\n"
      "  - {op: Add, in: [tripled, bias], out: z}\n",
      o);
  for (const Interval& c : z) EXPECT_LE(c.hi - c.lo, 2 * 0x1p-14);  // an ulp of 1000, twice
}

TEST(FusedSum, TermsOfTheOtherSignMayOverflowFirst) {
  const auto large = static_cast<float>(kLargest);
  const Operands o{{-1.5f, large}, {large, large}, {0}};
  EXPECT_EQ(chain(o, 0, 0), -kInf);
  const std::vector<Interval> z = accepted(kBias, o);
  EXPECT_TRUE(z[0].contains(-kInf));
  EXPECT_TRUE(z[0].contains(kInf));
  // Adds numbers of one sign: all orders overflow upwards.
  const std::vector<Interval> up = accepted(kBias, {{1.5f, 1.5f}, {large, large}, {0}});
  EXPECT_TRUE(up[0].contains(kInf));
  EXPECT_FALSE(up[0].contains(-kInf));
  EXPECT_FALSE(up[0].may_be_nan);
}

TEST(FusedSum, AnInfinityMeetsTheOtherOneWhenFiniteTermsOverflow) {
  const auto large = static_cast<float>(kLargest);
  const Operands o{{-large, kInf}, {large, 1}, {0}};
  EXPECT_TRUE(std::isnan(chain(o, 0, 0)));
  const std::vector<Interval> z = accepted(kBias, o);
  EXPECT_TRUE(z[0].may_be_nan);
  EXPECT_TRUE(z[0].contains(kInf));
  EXPECT_FALSE(z[0].contains(1));
  const std::vector<Interval> certain = accepted(kBias, {{-3, kInf}, {5, 1}, {1}});
  EXPECT_FALSE(certain[0].may_be_nan);
  EXPECT_EQ(certain[0].lo, kInf);
}

// The first product overflows to one infinity, to both, or to none of them: what is stored is an
// infinity in the oracle, and may be 0 or NaN in a kernel.
TEST(FusedSum, WhatMayBeNaNStaysSoInTheNextSum) {
  const char* steps =
      "  - {op: Relu, in: [product], out: kept, store: float32}\n"
      "  - {op: MatMul, in: [kept, square], out: scaled}\n"
      "  - {op: Mul, in: [scaled, bias], out: z}\n";
  const std::string square = "  - {op: Expand, in: [bias, {shape: \"N, N\"}], out: square}\n";
  const auto z = accepted(square + steps, {{-3e38f, 1e38f}, {-5e4f, -4e4f}, {2}});
  EXPECT_TRUE(z[0].contains(INFINITY));
  EXPECT_TRUE(z[0].contains(0));
  EXPECT_TRUE(z[0].contains(NAN));
  // 0 times that infinity is NaN in the oracle alone.
  EXPECT_TRUE(accepted(square + steps, {{-3e38f, 1e38f}, {-5e4f, -4e4f}, {0}})[0].contains(0));
  const auto certain = accepted(square + steps, {{-3e38f, -1e38f}, {-5e4f, -4e4f}, {2}});
  EXPECT_FALSE(certain[0].contains(0));
  EXPECT_FALSE(certain[0].contains(NAN));
}

}  // namespace
}  // namespace opkit::oracle
