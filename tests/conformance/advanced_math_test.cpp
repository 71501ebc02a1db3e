// Log, Sigmoid, Sin ... Power, Fmod, Clamp and the activations against twins in double. The bound
// of each call, in units in the last place, stands beside it; bounds of the activations count units
// of values of at least 1/16, because their factors cancel near zero.
#include <gmock/gmock.h>

#include "tests/conformance/advanced.h"
#include "tests/conformance/second_truth.h"

namespace conformance {
namespace {

using Tmp = const LocalTensor<uint8_t>&;

// The vendor's function types: with and without buffer, with and without count.
template <typename T>
struct Forms {
  using Tensor = const LocalTensor<T>&;
  void (*buffer_count)(Tensor, Tensor, Tmp, const uint32_t);
  void (*buffer)(Tensor, Tensor, Tmp);
  void (*count)(Tensor, Tensor, const uint32_t);
  void (*whole)(Tensor, Tensor);

  void call(int form, Tensor d, LocalTensor<T> s, uint32_t n) const {
    if (form == 0) return buffer_count(d, s, temporary(4096), n);
    if (form == 1) return count(d, s, n);
    s.SetSize(n);
    form == 2 ? buffer(d, s, temporary(4096)) : whole(d, s);
  }
};

template <typename T>
void check_forms(const char* name, const Forms<T>& forms, double (*twin)(double), float low,
                 float high, double bound) {
  const std::vector<T> x = spread<T>(2048 / sizeof(T) * 4, 17, low, high);
  Image before(31);
  before.fill(kSrc0, x);
  for (uint32_t n : kLengths) {
    for (int form = 0; form < 4; ++form) {
      const Image after =
          run(before, piped([&] { forms.call(form, at<T>(kDst), at<T>(kSrc0), n); })).image;
      for (uint32_t i = 0; i < n; ++i) {
        const double argument = static_cast<float>(x[i]);
        ASSERT_LE(distance(after.get<T>(kDst + i * sizeof(T)), twin(argument), 0), bound)
            << name << "(" << argument << ") form " << form;
      }
      ASSERT_TRUE(untouched(before, after, n * sizeof(T))) << name << " n " << n;
    }
  }
}

// Calls in this file, as an author has them: their place is a line of it.
#define FORMS(Name, T)                                                                      \
  Forms<T> {                                                                                \
    [](auto& d, auto& s, Tmp t, const uint32_t n) { AscendC::Name<T, false>(d, s, t, n); }, \
        [](auto& d, auto& s, Tmp t) { AscendC::Name<T, false>(d, s, t); },                  \
        [](auto& d, auto& s, const uint32_t n) { AscendC::Name<T>(d, s, n); },              \
        [](auto& d, auto& s) { AscendC::Name<T>(d, s); }                                    \
  }
#define CHECK(Name, twin, low, high, bound)                                                  \
  check_forms<float>(                                                                        \
      #Name, FORMS(Name, float), [](double x) -> double { return twin; }, low, high, bound); \
  check_forms<Half>(                                                                         \
      #Name " half", FORMS(Name, Half), [](double x) -> double { return twin; }, low, high, 0.6)

TEST(AdvancedMath, Logarithms) {
  CHECK(Log, std::log(x), 0.01f, 900, 2);
  CHECK(Log2, std::log2(x), 0.01f, 900, 1);
  CHECK(Log10, std::log10(x), 0.01f, 900, 1);
}
TEST(AdvancedMath, Activations) {
  CHECK(Sigmoid, 1 / (1 + std::exp(-x)), -20, 20, 1);
  CHECK(Tanh, std::tanh(x), -8, 8, 1);
  CHECK(Erf, true_erf(x), -4, 4, 1);
  CHECK(Erfc, true_erfc(x), -4, 4, 1);
}
TEST(AdvancedMath, Trigonometry) {
  CHECK(Sin, std::sin(x), -30, 30, 1);
  CHECK(Cos, std::cos(x), -30, 30, 1);
  CHECK(Tan, std::tan(x), -30, 30, 1);
  CHECK(Asin, std::asin(x), -1, 1, 1);
  CHECK(Acos, std::acos(x), -1, 1, 1);
  CHECK(Atan, std::atan(x), -30, 30, 1);
}
TEST(AdvancedMath, Hyperbolics) {
  CHECK(Sinh, std::sinh(x), -11, 11, 1);
  CHECK(Cosh, std::cosh(x), -11, 11, 1);
  CHECK(Asinh, std::asinh(x), -30, 30, 1);
  CHECK(Acosh, std::acosh(x), 0.5f, 30, 1);
  CHECK(Atanh, std::atanh(x), -1, 1, 1);
}
TEST(AdvancedMath, WholeNumbers) {
  CHECK(Floor, std::floor(x), -30, 30, 0);
  CHECK(Ceil, std::ceil(x), -30, 30, 0);
  CHECK(Round, std::nearbyint(x), -30, 30, 0);
  CHECK(Rint, std::nearbyint(x), -30, 30, 0);
  CHECK(Trunc, std::trunc(x), -30, 30, 0);
  CHECK(Frac, x - std::trunc(x), -30, 30, 0);
  CHECK(Sign, x > 0 ? 1 : x < 0 ? -1 : x, -30, 30, 0);
}
// Page "Round": a fraction of 0.5 goes to the even neighbour. Page "Sign": NaN gives 0.
template <typename T>
void check_ties_and_nan() {
  const std::vector<float> x = {0.5f, 1.5f, 2.5f, -0.5f, -2.5f, -3.5f, 4.5f, 6.5f};
  const std::vector<float> even = {0, 2, 2, 0, -2, -4, 4, 6};
  const std::vector<float> s = {-INFINITY, -2, -0.0f, 0, NAN, -NAN, 2, INFINITY};
  const std::vector<float> sign = {-1, -1, 0, 0, 0, 0, 1, 1};
  Image before(6);
  for (uint32_t i = 0; i < 8; ++i) {
    before.set(kSrc0 + i * sizeof(T), static_cast<T>(x[i]));
    before.set(kSrc1 + i * sizeof(T), static_cast<T>(s[i]));
  }
  const Image after = run(before, piped([] {
                            AscendC::Round(at<T>(kDst), at<T>(kSrc0), temporary(256), 8u);
                            AscendC::Sign(at<T>(kDst + 256), at<T>(kSrc1), temporary(256), 8u);
                          }))
                          .image;
  for (uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(static_cast<float>(after.get<T>(kDst + i * sizeof(T))), even[i]) << x[i];
    EXPECT_EQ(static_cast<float>(after.get<T>(kDst + 256 + i * sizeof(T))), sign[i]) << s[i];
  }
}
TEST(AdvancedMath, TiesAndNan) {
  check_ties_and_nan<float>();
  check_ties_and_nan<Half>();
}
TEST(AdvancedMath, Gamma) { CHECK(Lgamma, true_lgamma(x), 0.1f, 20, 1); }

template <typename T>
void check_power() {
  const uint32_t n = 500;
  Image before(7);
  const std::vector<T> a = spread<T>(n, 1, 0.1f, 4), b = spread<T>(n, 2, -3, 3);
  before.fill(kSrc0, a);
  before.fill(kSrc1, b);
  const T two_and_half = static_cast<T>(2.5f);
  for (int form = 0; form < 6; ++form) {
    const Image after = run(before, piped([&] {
                              const auto d = at<T>(kDst), s = at<T>(kSrc0), e = at<T>(kSrc1);
                              const auto t = temporary(4096);
                              switch (form) {
                                case 0: return AscendC::Power<T, false>(d, s, e, t, n);
                                case 1: return AscendC::Power<T>(d, s, e, n);
                                case 2: return AscendC::Power<T>(d, s, two_and_half, t, n);
                                case 3: return AscendC::Power<T>(d, s, two_and_half, n);
                                case 4: return AscendC::Power<T>(d, two_and_half, e, t, n);
                                default: return AscendC::Power<T>(d, two_and_half, e, n);
                              }
                            }))
                            .image;
    for (uint32_t i = 0; i < n; ++i) {
      const double x = form < 4 ? static_cast<float>(a[i]) : 2.5;
      const double y = form < 2 || form > 3 ? static_cast<float>(b[i]) : 2.5;
      ASSERT_LE(distance(after.get<T>(kDst + i * sizeof(T)), std::pow(x, y), 0), 1)
          << x << "^" << y;
    }
    ASSERT_TRUE(untouched(before, after, n * sizeof(T)));
  }
}
TEST(AdvancedMath, Power) {
  check_power<float>();
  check_power<Half>();
}
TEST(AdvancedMath, PowerOfIntegers) {
  Image before(8);
  before.fill(kSrc0, std::vector<int32_t>{2, -3, 1, 7, -1, 0, 5, 10});
  const Image after =
      run(before,
          piped([] { AscendC::Power<int32_t>(at<int32_t>(kDst), at<int32_t>(kSrc0), 3, 8u); }))
          .image;
  const int32_t expected[] = {8, -27, 1, 343, -1, 0, 125, 1000};
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(after.get<int32_t>(kDst + 4 * i), expected[i]);
}
TEST(AdvancedMath, FmodXorExpClamp) {
  Image before(9);
  const std::vector<float> a = spread<float>(65, 3, -50, 50), b = spread<float>(65, 4, 1, 9);
  before.fill(kSrc0, a);
  before.fill(kSrc1, b);
  const auto result = [&](auto f) { return run(before, piped(f)).image; };
  const auto d = [] { return at<float>(kDst); };
  const auto s = [] { return at<float>(kSrc0); };
  const Image rest = result([&] { AscendC::Fmod(d(), s(), at<float>(kSrc1), 65u); });
  const Image low = result([&] { AscendC::ClampMax(d(), s(), temporary(256), 3.0f, 65u); });
  const Image high = result([&] { AscendC::ClampMin(d(), s(), 3.0f, 65u); });
  const Image power = result([&] { AscendC::Exp<float, 15, false>(d(), s(), 65u); });
  const Image bits = result(
      [&] { AscendC::Xor(at<uint16_t>(kDst), at<uint16_t>(kSrc0), at<uint16_t>(kSrc1), 130u); });
  for (uint32_t i = 0; i < 65; ++i) {
    EXPECT_EQ(rest.get<float>(4 * i), std::fmod(a[i], b[i]));
    EXPECT_EQ(low.get<float>(4 * i), std::min(a[i], 3.0f));
    EXPECT_EQ(high.get<float>(4 * i), std::max(a[i], 3.0f));
    EXPECT_LE(distance(power.get<float>(4 * i), std::exp(double{a[i]}), 0), 2);
    EXPECT_EQ(bits.get<uint32_t>(4 * i),
              before.get<uint32_t>(kSrc0 + 4 * i) ^ before.get<uint32_t>(kSrc1 + 4 * i));
  }
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double rough_gelu(double x) {
  const double u = std::min(std::fabs(x) * 0.7071067811865476, 1.769) - 1.769;
  const double sign = x > 0 ? 1 : x < 0 ? -1 : 0;
  return x * (sign * (0.5 - 0.1444 * u * u) + 0.5);
}
double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

// Calls with one or two sources and a buffer; form 0 has the smallest buffer that a source of four
// bytes may get (one repeat per live value), form 1 the rest of UB.
template <typename T>
void check_activation(
    const char* name,
    const std::function<void(int, LocalTensor<T>, LocalTensor<T>, LocalTensor<T>, uint32_t)>& call,
    double (*twin)(double, double), double bound) {
  for (uint32_t n : kLengths) {
    const std::vector<T> a = spread<T>(n, 5, -6, 6), b = spread<T>(n, 6, -6, 6);
    Image before(10);
    before.fill(kSrc0, a);
    before.fill(kSrc1, b);
    for (int form : {0, 1}) {
      const Image after =
          run(before, piped([&] { call(form, at<T>(kDst), at<T>(kSrc0), at<T>(kSrc1), n); })).image;
      for (uint32_t i = 0; i < n; ++i) {
        const double x = static_cast<float>(a[i]), y = static_cast<float>(b[i]);
        ASSERT_LE(distance(after.get<T>(kDst + i * sizeof(T)), twin(x, y), 0.0625), bound)
            << name << " " << x << " " << y << " form " << form;
      }
      ASSERT_TRUE(untouched(before, after, n * sizeof(T))) << name;
    }
  }
}

#define ACTIVATION(T, bound, twin, with, without)                                      \
  check_activation<T>(                                                                 \
      #with,                                                                           \
      [](int form, LocalTensor<T> d, LocalTensor<T> a, LocalTensor<T> b, uint32_t n) { \
        const LocalTensor<uint8_t> t = temporary(sizeof(T) == 4 ? 256 : 768);          \
        (void)b;                                                                       \
        (void)t;                                                                       \
        form == 0 ? AscendC::with : AscendC::without;                                  \
      },                                                                               \
      [](double x, double y) -> double { return (void)y, twin; }, bound)
#define BOTH(twin, with, without)             \
  ACTIVATION(float, 12, twin, with, without); \
  ACTIVATION(Half, 1, twin, with, without)

TEST(AdvancedActivation, OneSource) {
  BOTH(gelu(x), Gelu(d, a, t, n), Gelu(d, a, n));
  BOTH(x * sigmoid(1.702 * x), FasterGelu(d, a, t, n), FasterGelu(d, a, n));
  // 1 - 1 in float for negative x: the error is one of the factor.
  ACTIVATION(float, 160, rough_gelu(x), FasterGeluV2(d, a, t, n), FasterGeluV2(d, a, n));
  ACTIVATION(Half, 1, rough_gelu(x), FasterGeluV2(d, a, t, n), FasterGeluV2(d, a, n));
  ACTIVATION(float, 6, x* sigmoid(x), Silu(d, a, n), Silu(d, a, n));
  ACTIVATION(Half, 3, x * sigmoid(x), Silu(d, a, n), Silu(d, a, n));
  ACTIVATION(float, 6, x* sigmoid(1.5 * x), Swish(d, a, n, 1.5f), Swish(d, a, n, 1.5f));
  ACTIVATION(Half, 6, x * sigmoid(1.5 * x), Swish(d, a, n, Half(1.5f)), Swish(d, a, n, Half(1.5f)));
}
TEST(AdvancedActivation, Gated) {
  BOTH(x * y * sigmoid(1.25 * y), SwiGLU(d, a, b, 1.25f, t, n), SwiGLU(d, a, b, 1.25f, n));
  BOTH(x * gelu(y), GeGLU(d, a, b, t, n), GeGLU(d, a, b, n));
  BOTH(x * std::max(y, 0.0), ReGlu(d, a, b, t, n), ReGlu(d, a, b, n));
  // Half a unit of bfloat16_t is four of half.
  ACTIVATION(BFloat16, 4, x * std::max(y, 0.0), ReGlu(d, a, b, t, n), ReGlu(d, a, b, n));
}
TEST(AdvancedActivation, InPlace) {
  const std::vector<float> x = spread<float>(100, 5, -3, 3);
  Image before(10);
  before.fill(kDst, x);
  const Image after =
      run(before, piped([] { AscendC::Gelu(at<float>(kDst), at<float>(kDst), 100u); })).image;
  for (uint32_t i = 0; i < 100; ++i)
    ASSERT_LE(distance(after.get<float>(4 * i), gelu(x[i]), 0.0625), 6);
}

void expect_refusal(const char* code, const char* text, const std::function<void()>& body) {
  const auto faults = faults_of(piped(body));
  ASSERT_EQ(faults.size(), 1u) << code;
  EXPECT_EQ(faults[0].code, code);
  EXPECT_THAT(faults[0].message, ::testing::HasSubstr(text));
}
TEST(AdvancedActivation, Refusals) {
  expect_refusal("EK1801", "Gelu: needs 128 bytes of temporary buffer, but has 64",
                 [] { AscendC::Gelu(at<Half>(kDst), at<Half>(kSrc0), temporary(64), 100u); });
  expect_refusal("EK1803", "Silu: source and destination overlap",
                 [] { AscendC::Silu(at<float>(kDst), at<float>(kDst), 100u); });
  expect_refusal("EK1803", "Power: source and destination overlap",
                 [] { AscendC::Power(at<float>(kDst), at<float>(kDst), 2.0f, 100u); });
}

template <typename T>
void check_broadcast(uint32_t rows, uint32_t columns, int axis) {
  const uint32_t from[] = {axis == 0 ? 1 : rows, axis == 1 ? 1 : columns}, to[] = {rows, columns};
  Image before(rows * 7 + columns);
  for (bool shared : {true, false}) {
    const Image after = run(before, piped([&] {
                              const auto d = at<T>(kDst), s = at<T>(kSrc0);
                              const auto t = temporary(2048);
                              if (axis == 0 && shared)
                                AscendC::Broadcast<T, 2, 0>(d, s, to, from, t);
                              if (axis == 0 && !shared) AscendC::BroadCast<T, 2, 0>(d, s, to, from);
                              if (axis == 1 && shared)
                                AscendC::BroadCast<T, 2, 1>(d, s, to, from, t);
                              if (axis == 1 && !shared) AscendC::Broadcast<T, 2, 1>(d, s, to, from);
                            }))
                            .image;
    Image expected = before;
    for (uint32_t i = 0; i < rows; ++i)
      for (uint32_t j = 0; j < columns; ++j)
        expected.set(kDst + (i * columns + j) * sizeof(T),
                     before.get<T>(kSrc0 + (axis == 0 ? j : i) * sizeof(T)));
    ASSERT_TRUE(same<uint8_t>(after, expected)) << rows << "x" << columns << " axis " << axis;
  }
}
template <typename T>
void check_broadcasts() {
  for (uint32_t rows : {1u, 2u, 9u, 31u}) {
    for (uint32_t columns : {1u, 8u, 33u, 64u}) check_broadcast<T>(rows, columns, 1);
    for (uint32_t columns : {32u, 64u}) check_broadcast<T>(rows, columns, 0);
  }
}
TEST(AdvancedBroadcast, RowsAndColumns) {
  check_broadcasts<float>();
  check_broadcasts<Half>();
  check_broadcasts<int8_t>();
  check_broadcasts<uint8_t>();
  check_broadcasts<int32_t>();
}
TEST(AdvancedBroadcast, OneDim) {
  const uint32_t from[] = {1}, to[] = {77};
  Image before(3);
  const Image after =
      run(before, piped([&] {
            AscendC::Broadcast<float, 1, 0>(at<float>(kDst), at<float>(kSrc0), to, from);
          }))
          .image;
  for (uint32_t i = 0; i < 77; ++i)
    EXPECT_EQ(after.get<uint32_t>(4 * i), before.get<uint32_t>(kSrc0));
}
TEST(AdvancedBroadcast, Refusals) {
  static const uint32_t from[] = {1, 7}, to[] = {3, 7}, other[] = {2, 7};
  expect_refusal("EK1802", "must be a multiple of 32 bytes, but it is 28", [] {
    AscendC::Broadcast<float, 2, 0>(at<float>(kDst), at<float>(kSrc0), to, from);
  });
  expect_refusal("EK1802", "or 1 at the axis, but it is 2", [] {
    AscendC::Broadcast<float, 2, 0>(at<float>(kDst), at<float>(kSrc0), to, other);
  });
}

}  // namespace
}  // namespace conformance
