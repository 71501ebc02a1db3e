// Calls with one source tensor, with and without a scalar, against twin/arithmetic.h.
#include "tests/conformance/elementwise.h"

namespace conformance {
namespace {

#define UNARY(Name, T, value)                                                   \
  check_unary<T>(#Name "<" #T ">", {&AscendC::Name<T>, &AscendC::Name<T, true>, \
                                    &AscendC::Name<T, true>, &twin::value<T>})
#define SCALAR(Name, T, value, ...)                                                           \
  check_scalar<T>(#Name "<" #T ">",                                                           \
                  {&AscendC::Name<T, true>, &AscendC::Name<T, true>, &AscendC::Name<T, true>, \
                   &twin::value<T>},                                                          \
                  std::vector<T>{__VA_ARGS__})

TEST(Unary, Exact) {
  UNARY(Abs, float, abs);
  UNARY(Abs, Half, abs);
  UNARY(Sqrt, float, sqrt);
  UNARY(Sqrt, Half, sqrt);
  UNARY(Rsqrt, float, rsqrt);
  UNARY(Rsqrt, Half, rsqrt);
  UNARY(Reciprocal, float, reciprocal);
  UNARY(Reciprocal, Half, reciprocal);
}
TEST(Unary, Relu) {
  UNARY(Relu, float, relu_of);
  UNARY(Relu, Half, relu_of);
  UNARY(Relu, int32_t, relu_of);
}
TEST(Unary, Not) {
  UNARY(Not, int16_t, bit_not);
  UNARY(Not, uint16_t, bit_not);
}
TEST(Scalar, Adds) {
  SCALAR(Adds, float, add, 0.1f, -3e38f, NAN);
  SCALAR(Adds, Half, add, Half(0.1f), Half(-65504.0f));
  SCALAR(Adds, int16_t, add, int16_t{-7}, int16_t{32767});
  SCALAR(Adds, int32_t, add, 12345, -2147483647 - 1);
}
TEST(Scalar, Muls) {
  SCALAR(Muls, float, mul, 0.1f, -0.0f, INFINITY);
  SCALAR(Muls, Half, mul, Half(1.7f), Half(1e-6f));
  SCALAR(Muls, int16_t, mul, int16_t{-7}, int16_t{300});
  SCALAR(Muls, int32_t, mul, 65537, -3);
}
TEST(Scalar, MaxsMins) {
  SCALAR(Maxs, float, max, 0.0f, -1.5f, NAN);
  SCALAR(Maxs, Half, max, Half(0.5f));
  SCALAR(Maxs, int16_t, max, int16_t{4});
  SCALAR(Maxs, int32_t, max, -4);
  SCALAR(Mins, float, min, 0.0f, -1.5f, NAN);
  SCALAR(Mins, Half, min, Half(0.5f));
  SCALAR(Mins, int16_t, min, int16_t{4});
  SCALAR(Mins, int32_t, min, -4);
}
TEST(Scalar, LeakyRelu) {
  SCALAR(LeakyRelu, float, leaky_relu, 0.1f, -2.0f);
  SCALAR(LeakyRelu, Half, leaky_relu, Half(0.1f), Half(60000.0f));
}
TEST(Scalar, ShiftLeft) {
  SCALAR(ShiftLeft, int16_t, shift_left, 0, 3, 15, 16);
  SCALAR(ShiftLeft, uint16_t, shift_left, 0, 3, 15, 16);
  SCALAR(ShiftLeft, int32_t, shift_left, 0, 5, 31, 32);
  SCALAR(ShiftLeft, uint32_t, shift_left, 0, 5, 31, 32);
}
TEST(Scalar, Axpy) {
  check_scalar<float>("Axpy",
                      {&AscendC::Axpy<float, float>, &AscendC::Axpy<float, float, true>,
                       &AscendC::Axpy<float, float, true>, &twin::axpy<float>},
                      {0.3f, -2.0f});
  check_scalar<Half>("Axpy<half>",
                     {&AscendC::Axpy<Half, Half>, &AscendC::Axpy<Half, Half, true>,
                      &AscendC::Axpy<Half, Half, true>, &twin::axpy<Half>},
                     {Half(0.3f), Half(-2000.0f)});
}
#undef SCALAR
#undef UNARY

// The example of the page "ShiftLeft": signed types keep their sign.
TEST(Scalar, ShiftLeftKeepsTheSign) {
  Image before(3);
  before.fill(kSrc0, std::vector<uint16_t>(16, 0xaaaa));
  for (const auto& [by, expected] : {std::pair<int16_t, uint64_t>{1, 0xd554}, {3, 0xd550}}) {
    const Outcome o = run(before, [by = by] {
      AscendC::ShiftLeft(at<int16_t>(kDst), at<int16_t>(kSrc0), by, 16);
      kernel_result = at<uint16_t>(kDst).GetValue(15);
    });
    EXPECT_EQ(o.result, expected);
  }
  const Outcome logical = run(before, [] {
    AscendC::ShiftLeft(at<uint16_t>(kDst), at<uint16_t>(kSrc0), uint16_t{1}, 16);
    kernel_result = at<uint16_t>(kDst).GetValue(15);
  });
  EXPECT_EQ(logical.result, 0x5554u);
}

template <typename T>
void check_shift_right() {
  const Image before = image_of<T>(21);
  for (const Form& form : twin::forms(256 / sizeof(T))) {
    for (T s : {T(0), T(1), T(7), T(8 * sizeof(T) - 1)}) {
      for (bool round : {false, true}) {
        if (round && form.is_count) continue;
        Image expected = before;
        apply<T>(expected, kDst, form, true, [&](T, uint64_t a, uint64_t) {
          const T x = expected.get<T>(kSrc0 + a);
          // Rounding looks at the last bit that is shifted out.
          const bool up = round && std::is_signed_v<T> && s > 0 &&
                          twin::shift_right(x, T(s - 1), T(0)) % 2 != 0;
          return static_cast<T>(twin::shift_right(x, s, T(0)) + (up ? 1 : 0));
        });
        const auto repeats = static_cast<uint8_t>(form.repeats);
        const Outcome o = run(before, [&] {
          const LocalTensor<T> d = at<T>(kDst), a = at<T>(kSrc0);
          if (form.is_count)
            AscendC::ShiftRight(d, a, s, static_cast<int32_t>(form.count));
          else if (form.use_prefix)
            AscendC::ShiftRight(d, a, s, uint64_t{form.prefix}, repeats, unary_params(form), round);
          else
            AscendC::ShiftRight(d, a, s, form.mask, repeats, unary_params(form), round);
        });
        ASSERT_TRUE(same<T>(o.image, expected)) << form.text() << " by " << s << round;
      }
    }
  }
}

TEST(Scalar, ShiftRight) {
  check_shift_right<int16_t>();
  check_shift_right<uint16_t>();
  check_shift_right<int32_t>();
  check_shift_right<uint32_t>();
}

// float += half * half: the strides count blocks of each operand.
TEST(Scalar, AxpyAndMulAddDstWiden) {
  Image before(31);
  before.fill(kDst, values<float>(2048, 1));
  before.fill(kSrc0, values<Half>(4096, 2));
  before.fill(kSrc1, values<Half>(4096, 3));
  const Half s(0.7f);
  for (uint32_t n : {1u, 17u, 64u, 200u}) {
    Image axpy = before, mad = before;
    for (uint32_t i = 0; i < n; ++i) {
      const float a = before.get<Half>(kSrc0 + 2 * i), b = before.get<Half>(kSrc1 + 2 * i);
      const float old = before.get<float>(kDst + 4 * i);
      axpy.set(kDst + 4 * i, a * static_cast<float>(s) + old);
      mad.set(kDst + 4 * i, a * b + old);
    }
    EXPECT_TRUE(same<float>(
        run(before, [&] { AscendC::Axpy(at<float>(kDst), at<Half>(kSrc0), s, int32_t(n)); }).image,
        axpy));
    EXPECT_TRUE(same<float>(run(before,
                                [&] {
                                  AscendC::MulAddDst(at<float>(kDst), at<Half>(kSrc0),
                                                     at<Half>(kSrc1), int32_t(n));
                                })
                                .image,
                            mad));
  }
  // Three iterations of 64: 8 blocks of float, 4 of half.
  Image expected = before;
  for (uint32_t i = 0; i < 192; ++i) {
    const float a = before.get<Half>(kSrc0 + 2 * i);
    expected.set(kDst + 4 * i, a * static_cast<float>(s) + before.get<float>(kDst + 4 * i));
  }
  EXPECT_TRUE(same<float>(run(before,
                              [&] {
                                AscendC::Axpy(at<float>(kDst), at<Half>(kSrc0), s, uint64_t{64}, 3,
                                              UnaryRepeatParams(1, 1, 8, 4));
                              })
                              .image,
                          expected));
}

// The overload with the primitive type, and expressions.
TEST(Scalar, OverloadsAndExpressions) {
  const Image before = image_of<float>(41);
  const Image muls = run(before, [] {
                       AscendC::Muls<float, float>(at<float>(kDst), at<float>(kSrc0), 3.0f, 500);
                     }).image;
  const Image plain =
      run(before, [] { AscendC::Muls(at<float>(kDst), at<float>(kSrc0), 3.0f, 500); }).image;
  EXPECT_TRUE(same<float>(muls, plain));
  const Image expression = run(before, [] {
                             LocalTensor<float> d = at<float>(kDst, 2000);
                             d = at<float>(kSrc0) - at<float>(kSrc1);
                           }).image;
  const Image sub = run(before, [] {
                      AscendC::Sub(at<float>(kDst), at<float>(kSrc0), at<float>(kSrc1), 500);
                    }).image;
  EXPECT_TRUE(same<float>(expression, sub));
}

}  // namespace
}  // namespace conformance
