// Calls with two source tensors, against twin/arithmetic.h.
#include "tests/conformance/elementwise.h"

namespace conformance {
namespace {

#define BINARY(Name, T, value)                                                   \
  check_binary<T>(#Name "<" #T ">", {&AscendC::Name<T>, &AscendC::Name<T, true>, \
                                     &AscendC::Name<T, true>, &twin::value<T>})

TEST(Binary, Add) {
  BINARY(Add, float, add);
  BINARY(Add, Half, add);
  BINARY(Add, int16_t, add);
  BINARY(Add, int32_t, add);
}
TEST(Binary, Sub) {
  BINARY(Sub, float, sub);
  BINARY(Sub, Half, sub);
  BINARY(Sub, int16_t, sub);
  BINARY(Sub, int32_t, sub);
}
TEST(Binary, Mul) {
  BINARY(Mul, float, mul);
  BINARY(Mul, Half, mul);
  BINARY(Mul, int16_t, mul);
  BINARY(Mul, int32_t, mul);
}
TEST(Binary, Div) {
  BINARY(Div, float, div);
  BINARY(Div, Half, div);
}
TEST(Binary, Max) {
  BINARY(Max, float, max);
  BINARY(Max, Half, max);
  BINARY(Max, int16_t, max);
  BINARY(Max, int32_t, max);
}
TEST(Binary, Min) {
  BINARY(Min, float, min);
  BINARY(Min, Half, min);
  BINARY(Min, int16_t, min);
  BINARY(Min, int32_t, min);
}
TEST(Binary, AndOr) {
  BINARY(And, int16_t, bit_and);
  BINARY(And, uint16_t, bit_and);
  BINARY(Or, int16_t, bit_or);
  BINARY(Or, uint16_t, bit_or);
}
TEST(Binary, AddReluSubRelu) {
  BINARY(AddRelu, float, add_relu);
  BINARY(AddRelu, Half, add_relu);
  BINARY(AddRelu, int16_t, add_relu);
  BINARY(SubRelu, float, sub_relu);
  BINARY(SubRelu, Half, sub_relu);
  BINARY(SubRelu, int16_t, sub_relu);
}
TEST(Binary, FusedMulAdd) {
  BINARY(FusedMulAdd, float, fused_mul_add);
  BINARY(FusedMulAdd, Half, fused_mul_add);
  BINARY(FusedMulAddRelu, float, fused_mul_add_relu);
  BINARY(FusedMulAddRelu, Half, fused_mul_add_relu);
}
TEST(Binary, MulAddDst) {
  check_binary<float>("MulAddDst",
                      {&AscendC::MulAddDst<float, float>, &AscendC::MulAddDst<float, float, true>,
                       &AscendC::MulAddDst<float, float, true>, &twin::mul_add_dst<float>});
  check_binary<Half>("MulAddDst<half>",
                     {&AscendC::MulAddDst<Half, Half>, &AscendC::MulAddDst<Half, Half, true>,
                      &AscendC::MulAddDst<Half, Half, true>, &twin::mul_add_dst<Half>});
}
#undef BINARY

// Halving trees and running sums: dst == src0 with repeat stride 0, iterations in order.
TEST(Binary, AccumulatesInOrder) {
  Image before = image_of<float>(11);
  before.fill(kSrc1, values<float>(512, 4, false));
  const Form form = twin::prefix_form(64, 7, {1, 0}, {1, 0}, {1, 8});
  Image expected = before;
  apply<float>(expected, kDst, form, true, [&](float old, uint64_t, uint64_t b) {
    return old + expected.get<float>(kSrc1 + b);
  });
  const Outcome o = run(before, [&] {
    AscendC::Add(at<float>(kDst), at<float>(kDst), at<float>(kSrc1), uint64_t{64}, 7,
                 binary_params(form));
  });
  EXPECT_TRUE(same<float>(o.image, expected));
}

// The mask register: isSetMask = false uses what SetVectorMask left; in counter mode the register
// holds a number of elements and repeatTime does not count.
TEST(Binary, UsesTheMaskRegister) {
  const Image before = image_of<Half>(12);
  const auto expect = [&](const Form& form, const std::function<void()>& body) {
    Image expected = before;
    apply<Half>(expected, kDst, form, true, [&](Half old, uint64_t a, uint64_t b) {
      return twin::mul(expected.get<Half>(kSrc0 + a), expected.get<Half>(kSrc1 + b), old);
    });
    EXPECT_TRUE(same<Half>(run(before, body).image, expected)) << form.text();
  };
  const auto multiply = [](uint8_t repeats) {
    AscendC::Mul<Half, false>(at<Half>(kDst), at<Half>(kSrc0), at<Half>(kSrc1),
                              AscendC::MASK_PLACEHOLDER, repeats, BinaryRepeatParams());
  };
  expect(twin::bits_form(0x00ff00ff00ff00ffu, 0x123456789abcdef0u, 3), [&] {
    AscendC::SetMaskNorm();
    AscendC::SetVectorMask<Half, AscendC::MaskMode::NORMAL>(0x123456789abcdef0u,
                                                            0x00ff00ff00ff00ffu);
    multiply(3);
    AscendC::ResetMask();
  });
  expect(twin::prefix_form(40, 2), [&] {
    AscendC::AscendCUtils::SetMask<Half>(40);
    multiply(2);
  });
  expect(twin::count_form(300), [&] {
    AscendC::SetMaskCount();
    AscendC::SetVectorMask<Half, AscendC::MaskMode::COUNTER>(0, 300);
    multiply(1);
    AscendC::SetMaskNorm();
    AscendC::ResetMask();
  });
  // The count form leaves normal mode and a full mask.
  expect(twin::prefix_form(128, 2), [&] {
    AscendC::SetVectorMask<Half>(0, 1);
    AscendC::Mul(at<Half>(kDst), at<Half>(kSrc0), at<Half>(kSrc1), 5);
    multiply(2);
  });
}

}  // namespace
}  // namespace conformance
