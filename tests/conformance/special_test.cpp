// The transcendental instructions against the C library in long double: accuracy in units in the
// last place.
#include <cmath>

#include "tests/conformance/elementwise.h"

namespace conformance {
namespace {

// Distance of a result from the exact value in units in the last place of T.
template <typename T>
double ulps(T actual, long double exact) {
  constexpr int kPrecision = sizeof(T) == 4 ? 24 : 11, kLowest = sizeof(T) == 4 ? -126 : -14;
  const long double largest = sizeof(T) == 4 ? 0x1.fffffep127L : 65504.0L;
  const auto a = static_cast<long double>(static_cast<float>(actual));
  if (exact != exact || a != a) return exact != exact && a != a ? 0 : INFINITY;
  const int exponent = exact == 0 ? kLowest : std::max(std::ilogb(exact), kLowest);
  const long double unit =
      std::ldexp(1.0L, std::min(exponent, sizeof(T) == 4 ? 127 : 15) - kPrecision + 1);
  if (std::isinf(a)) {
    return std::isinf(exact) || std::fabs(exact) > largest - unit
               ? (std::signbit(a) == std::signbit(exact) ? 0 : INFINITY)
               : INFINITY;
  }
  if (std::isinf(exact)) return INFINITY;
  return static_cast<double>(std::fabs(a - exact) / unit);
}

template <typename T>
std::vector<T> arguments(float low, float high) {
  std::mt19937 random(5);
  std::vector<T> v;
  for (int i = 0; i < 900; ++i)
    v.push_back(static_cast<T>(std::uniform_real_distribution<float>(low, high)(random)));
  for (int i = 0; i < 500; ++i) {  // all magnitudes
    const float x = std::ldexp(1.0f + static_cast<float>(random() % 1024) / 1024.0f,
                               static_cast<int>(random() % 60) - 40);
    if (x <= high) v.push_back(static_cast<T>(x));
    if (-x >= low) v.push_back(static_cast<T>(-x));
  }
  for (float x : {0.0f, 1.0f, 0.5f, low, high}) v.push_back(static_cast<T>(x));
  return v;
}

using Exact = long double (*)(long double);

template <typename T>
void check_function(opk_vector_op op, Exact exact, float low, float high, double bound) {
  const std::vector<T> x = arguments<T>(low, high);
  Image before(111);
  before.fill(kSrc0, x);
  const Outcome o = run(before, [&] {
    AscendC::detail::unary(op, at<T>(kDst), at<T>(kSrc0), static_cast<int32_t>(x.size()));
  });
  for (size_t i = 0; i < x.size(); ++i) {
    const auto argument = static_cast<long double>(static_cast<float>(x[i]));
    const T y = o.image.get<T>(kDst + i * sizeof(T));
    ASSERT_LE(ulps(y, exact(argument)), bound)
        << AscendC::detail::op_name(op) << "(" << static_cast<double>(argument)
        << ") = " << static_cast<double>(static_cast<float>(y)) << ", not "
        << static_cast<double>(exact(argument));
  }
}

void check(opk_vector_op op, Exact exact, float low, float high, double bound = 1.0) {
  check_function<float>(op, exact, low, high, bound);
  check_function<Half>(op, exact, std::max(low, -60000.0f), std::min(high, 60000.0f), 0.6);
}

TEST(Special, ExpAndLn) {
  check(
      OPK_V_EXP, [](long double x) { return std::exp(x); }, -104, 89, 2.0);
  check(
      OPK_V_LN, [](long double x) { return std::log(x); }, 0, 3e38f, 2.0);
  check(
      OPK_V_LN, [](long double x) { return std::log(x); }, 0.5f, 2, 2.0);
  check(
      OPK_V_LN, [](long double x) { return std::log(x); }, -5, 1e-38f, 2.0);
  check(
      OPK_V_LOG2, [](long double x) { return std::log2(x); }, 0, 1e5f);
  check(
      OPK_V_LOG10, [](long double x) { return std::log10(x); }, 0, 1e5f);
}
TEST(Special, Activations) {
  check(
      OPK_V_SIGMOID, [](long double x) { return 1 / (1 + std::exp(-x)); }, -80, 80);
  check(
      OPK_V_TANH, [](long double x) { return std::tanh(x); }, -20, 20);
  check(
      OPK_V_ERF, [](long double x) { return std::erf(x); }, -5, 5);
  check(
      OPK_V_ERFC, [](long double x) { return std::erfc(x); }, -5, 9);
}
TEST(Special, Trigonometry) {
  check(
      OPK_V_SIN, [](long double x) { return std::sin(x); }, -400, 400);
  check(
      OPK_V_COS, [](long double x) { return std::cos(x); }, -400, 400);
  check(
      OPK_V_TAN, [](long double x) { return std::tan(x); }, -40, 40);
  check(
      OPK_V_SIN, [](long double x) { return std::sin(x); }, -3e7f, 3e7f);
  check(
      OPK_V_ASIN, [](long double x) { return std::asin(x); }, -1, 1);
  check(
      OPK_V_ACOS, [](long double x) { return std::acos(x); }, -1, 1);
  check(
      OPK_V_ATAN, [](long double x) { return std::atan(x); }, -50, 50);
}
TEST(Special, Hyperbolics) {
  check(
      OPK_V_SINH, [](long double x) { return std::sinh(x); }, -88, 88);
  check(
      OPK_V_COSH, [](long double x) { return std::cosh(x); }, -88, 88);
  check(
      OPK_V_ASINH, [](long double x) { return std::asinh(x); }, -1e4f, 1e4f);
  check(
      OPK_V_ACOSH, [](long double x) { return std::acosh(x); }, 0, 1e4f);
  check(
      OPK_V_ATANH, [](long double x) { return std::atanh(x); }, -1, 1);
}
TEST(Special, WholeNumbers) {
  check(
      OPK_V_FLOOR, [](long double x) { return std::floor(x); }, -1000, 1000, 0);
  check(
      OPK_V_CEIL, [](long double x) { return std::ceil(x); }, -1000, 1000, 0);
  check(
      OPK_V_TRUNC, [](long double x) { return std::trunc(x); }, -1000, 1000, 0);
  check(
      OPK_V_ROUND, [](long double x) { return std::nearbyint(x); }, -1000, 1000, 0);
  check(
      OPK_V_RINT, [](long double x) { return std::nearbyint(x); }, -1000, 1000, 0);
  check(
      OPK_V_FRAC, [](long double x) { return x - std::trunc(x); }, -1000, 1000, 0);
  check(
      OPK_V_SIGN, [](long double x) { return x > 0   ? 1.0L
                                             : x < 0 ? -1.0L
                                                     : x; }, -9, 9, 0);
}
TEST(Special, Gamma) {
  check(
      OPK_V_LGAMMA, [](long double x) { return std::lgamma(x); }, 0.01f, 1e4f);
}

TEST(Special, NanAndInfinity) {
  Image before(112);
  before.fill(kSrc0, std::vector<float>{NAN, INFINITY, -INFINITY});
  const auto of = [&](opk_vector_op op) {
    const Image o = run(before, [&] {
                      AscendC::detail::unary(op, at<float>(kDst), at<float>(kSrc0), 3);
                    }).image;
    return std::vector<float>{o.get<float>(kDst), o.get<float>(kDst + 4), o.get<float>(kDst + 8)};
  };
  const struct {
    opk_vector_op op;
    float at_infinity, at_minus_infinity;
  } cases[] = {{OPK_V_EXP, INFINITY, 0},
               {OPK_V_LN, INFINITY, NAN},
               {OPK_V_SIGMOID, 1, 0},
               {OPK_V_TANH, 1, -1},
               {OPK_V_ERF, 1, -1},
               {OPK_V_ERFC, 0, 2},
               {OPK_V_SIN, NAN, NAN},
               {OPK_V_ATAN, 1.57079637f, -1.57079637f},
               {OPK_V_ACOS, NAN, NAN},
               {OPK_V_COSH, INFINITY, INFINITY},
               {OPK_V_SINH, INFINITY, -INFINITY},
               {OPK_V_FLOOR, INFINITY, -INFINITY}};
  for (const auto& c : cases) {
    const std::vector<float> y = of(c.op);
    const char* name = AscendC::detail::op_name(c.op);
    EXPECT_TRUE(std::isnan(y[0])) << name;
    EXPECT_TRUE(y[1] == c.at_infinity || (std::isnan(y[1]) && std::isnan(c.at_infinity)))
        << name << " " << y[1];
    EXPECT_TRUE(y[2] == c.at_minus_infinity ||
                (std::isnan(y[2]) && std::isnan(c.at_minus_infinity)))
        << name << " " << y[2];
  }
}

TEST(Special, PowerAndFmod) {
  std::vector<float> x, y;
  const float some[] = {0.0f,  -0.0f, 1.0f,   -1.0f,    2.0f,      -2.0f, 0.5f, -3.0f,
                        7.25f, 1e-3f, 100.0f, INFINITY, -INFINITY, NAN,   3.0f, -0.5f};
  for (float a : some) {
    for (float b : some) {
      x.push_back(a);
      y.push_back(b);
    }
  }
  Image before(113);
  before.fill(kSrc0, x);
  before.fill(kSrc1, y);
  const auto n = static_cast<int32_t>(x.size());
  const auto of = [&](opk_vector_op op) {
    return run(before,
               [&] {
                 AscendC::detail::binary(op, at<float>(kDst), at<float>(kSrc0), at<float>(kSrc1),
                                         n);
               })
        .image;
  };
  const Image power = of(OPK_V_POWER), rest = of(OPK_V_FMOD);
  for (size_t i = 0; i < x.size(); ++i) {
    const long double p = std::pow(static_cast<long double>(x[i]), static_cast<long double>(y[i]));
    EXPECT_LE(ulps(power.get<float>(kDst + 4 * i), p), 1.0)
        << x[i] << "^" << y[i] << " = " << power.get<float>(kDst + 4 * i);
    const float r = std::fmod(x[i], y[i]);
    EXPECT_EQ(ulps(rest.get<float>(kDst + 4 * i), r), 0) << x[i] << " mod " << y[i];
  }
}

}  // namespace
}  // namespace conformance
