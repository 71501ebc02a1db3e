// Formulas of shipped ops that approximate a function: every half and floats side by side against
// the function in double.
#include "ops/builtin/elementwise_unary/op_kernel/erf_quotient.h"
#include "ops/shared/op_kernel/gelu_erf.h"
#include "tests/conformance/advanced.h"

namespace conformance {
namespace {

constexpr uint32_t kMost = kSrc0 / sizeof(float);  // elements of a launch

// Every finite half, floats of [-12, 12] in small steps, powers of two.
std::vector<float> arguments() {
  std::vector<float> x;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = static_cast<float>(Half::from_bits(static_cast<uint16_t>(bits)));
    if (std::isfinite(value)) x.push_back(value);
  }
  for (int i = -60000; i <= 60000; ++i) x.push_back(static_cast<float>(i) * 2e-4f);
  for (int power = -149; power < 128; ++power) {
    x.push_back(std::ldexp(1.0f, power));
    x.push_back(-std::ldexp(1.0f, power));
  }
  return x;
}

// What `formula` makes of x, which lies at kSrc0; it leaves y at kDst.
std::vector<float> results(const std::vector<float>& x,
                           const std::function<void(uint32_t)>& formula) {
  std::vector<float> y;
  for (size_t first = 0; first < x.size(); first += kMost) {
    const std::vector<float> part(x.begin() + first, x.begin() + std::min(first + kMost, x.size()));
    Image before(7);
    before.fill(kSrc0, part);
    const auto count = static_cast<uint32_t>(part.size());
    const Outcome outcome = run(before, piped([&] { formula(count); }));
    EXPECT_TRUE(outcome.faults.empty());
    for (uint32_t i = 0; i < count; ++i) y.push_back(outcome.image.get<float>(kDst + 4 * i));
  }
  return y;
}

void gelu(uint32_t count) {
  GeluErf formula;
  formula.Init(at<float>(kSrc1));
  formula.To(at<float>(kDst), at<float>(kSrc0), at<float>(kSrc2), count);
}
void gelu_in_place(uint32_t count) {
  GeluErf formula;
  formula.Init(at<float>(kSrc1));
  formula(at<float>(kSrc0), at<float>(kDst), at<float>(kSrc2), count);
  AscendC::Adds(at<float>(kDst), at<float>(kSrc0), 0.0f, static_cast<int32_t>(count));
}
void erf_by_quotient(uint32_t count) {
  ErfQuotient formula;
  formula.Init(at<float>(kSrc1));
  formula(at<float>(kDst), at<float>(kSrc0), temporary(2 * kSrc0), count);
}

// The contract's bound is 4 u of 1 and 4 ulps; a third of it is left for other orders of rounding.
TEST(ShippedFormulas, GeluByErf) {
  const std::vector<float> x = arguments();
  const std::vector<float> y = results(x, gelu), in_place = results(x, gelu_in_place);
  for (size_t i = 0; i < x.size(); ++i) {
    const double a = x[i], exact = 0.5 * a * std::erfc(-a / std::sqrt(2.0));
    ASSERT_LE(std::fabs(y[i] - exact), 1.6e-7 + 3.2e-7 * std::fabs(exact)) << a;
    ASSERT_EQ(y[i], in_place[i]) << a;
  }
}

TEST(ShippedFormulas, ErfByAQuotient) {
  const std::vector<float> x = arguments();
  const std::vector<float> y = results(x, erf_by_quotient);
  for (size_t i = 0; i < x.size(); ++i) {
    const double exact = std::erf(static_cast<double>(x[i]));
    ASSERT_LE(std::fabs(y[i] - exact), 4.5e-7 * std::fabs(exact) + 1e-45) << x[i];
  }
}

TEST(ShippedFormulas, WhatIsNoNumberOrInfinite) {
  const std::vector<float> x = {INFINITY, -INFINITY, NAN, 0.0f, -0.0f};
  const std::vector<float> g = results(x, gelu), e = results(x, erf_by_quotient);
  EXPECT_EQ(g[0], INFINITY);
  EXPECT_TRUE(std::isnan(g[1]));  // -inf times 0, as the definition has it
  EXPECT_TRUE(std::isnan(g[2]));
  EXPECT_EQ(g[3], 0.0f);
  EXPECT_FLOAT_EQ(e[0], 1.0f);
  EXPECT_FLOAT_EQ(e[1], -1.0f);
  EXPECT_TRUE(std::isnan(e[2]));
  EXPECT_EQ(e[3], 0.0f);
  EXPECT_TRUE(std::signbit(e[4]));
}

}  // namespace
}  // namespace conformance
