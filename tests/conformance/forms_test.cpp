// Calls that are another name or another order of one that has a test of its own, and what
// reductions leave in registers.
#include "tests/conformance/advanced.h"
#include "tests/conformance/second_truth.h"

namespace conformance {
namespace {

using namespace AscendC;

template <typename T>
Image reals(uint32_t seed) {
  Image image(seed);
  image.fill(kSrc0, values<T>(4096 / sizeof(T), seed, false));
  image.fill(kSrc1, values<T>(4096 / sizeof(T), seed + 1, false));
  return image;
}

// Both bodies leave the same bytes.
void same_calls(const Image& before, const std::function<void()>& one,
                const std::function<void()>& other) {
  const Outcome a = run(before, one), b = run(before, other);
  EXPECT_TRUE(same<uint8_t>(a.image, b.image));
  EXPECT_NE(std::memcmp(a.image.data(), before.data(), kImage), 0) << "nothing was written";
}

// min of each iteration (with its place) and of each block, by a loop.
template <typename T>
void check_minima() {
  const Image before = reals<T>(31);
  constexpr uint32_t kRepeat = 256 / sizeof(T), kBlock = 32 / sizeof(T);
  const Outcome whole =
      run(before, [] { WholeReduceMin(at<T>(kDst), at<T>(kSrc0), int32_t(kRepeat), 3, 1, 1, 8); });
  const Outcome block =
      run(before, [] { BlockReduceMin(at<T>(kDst), at<T>(kSrc0), 3, int32_t(kRepeat), 1, 1, 8); });
  for (uint32_t r = 0; r < 3; ++r) {
    uint32_t best = 0;
    const auto element = [&](uint32_t i) {
      return before.get<T>(kSrc0 + (r * kRepeat + i) * sizeof(T));
    };
    for (uint32_t i = 1; i < kRepeat; ++i) best = element(i) < element(best) ? i : best;
    EXPECT_EQ(whole.image.get<T>(kDst + 2 * r * sizeof(T)), element(best));
    const uint64_t index = sizeof(T) == 2 ? whole.image.get<uint16_t>(kDst + 4 * r + 2)
                                          : whole.image.get<uint32_t>(kDst + 8 * r + 4);
    EXPECT_EQ(index, best);
    for (uint32_t b = 0; b < 8; ++b) {
      T least = element(b * kBlock);
      for (uint32_t i = 1; i < kBlock; ++i)
        least = element(b * kBlock + i) < least ? element(b * kBlock + i) : least;
      EXPECT_EQ(block.image.get<T>(kDst + (8 * r + b) * sizeof(T)), least);
    }
  }
}

TEST(Forms, Minima) {
  check_minima<float>();
  check_minima<Half>();
}

template <typename T>
void check_sums() {
  const Image before = reals<T>(33);
  const int32_t all = 256 / sizeof(T);
  same_calls(
      before, [=] { RepeatReduceSum(at<T>(kDst), at<T>(kSrc0), 4, all, 0, 1, 1, 8); },
      [=] { WholeReduceSum(at<T>(kDst), at<T>(kSrc0), all, 4, 1, 1, 8); });
  same_calls(
      before,
      [=] { ReducePairElem<ReduceType::SUM>(at<T>(kDst), at<T>(kSrc0), all - 2, 4, 1, 1, 8); },
      [=] { PairReduceSum(at<T>(kDst), at<T>(kSrc0), 4, all - 2, 1, 1, 8); });
  same_calls(
      before, [=] { ReduceRepeat<ReduceType::SUM>(at<T>(kDst), at<T>(kSrc0), all, 4, 1, 1, 8); },
      [=] { WholeReduceSum(at<T>(kDst), at<T>(kSrc0), all, 4, 1, 1, 8); });
  same_calls(
      before, [=] { ReduceDataBlock<ReduceType::MIN>(at<T>(kDst), at<T>(kSrc0), all, 4, 1, 1, 8); },
      [=] { BlockReduceMin(at<T>(kDst), at<T>(kSrc0), 4, all, 1, 1, 8); });
}

TEST(Forms, NewerNamesOfReductions) {
  check_sums<float>();
  check_sums<Half>();
}

// The registers hold what the reduction wrote.
template <typename T>
void check_registers() {
  const Image before = reals<T>(35);
  const Outcome sum = run(before, [] {
    ReduceSum(at<T>(kDst), at<T>(kSrc0), at<T>(kSrc2), 300);
    kernel_result = detail::bits(GetReduceRepeatSumSpr<T>());
  });
  EXPECT_EQ(sum.result, detail::bits(sum.image.get<T>(kDst)));
  const Outcome extreme = run(before, [] {
    ReduceMax(at<T>(kDst), at<T>(kSrc0), at<T>(kSrc2), 256 / sizeof(T), true);
    T value, index;
    GetReduceMaxMinCount<T>(value, index);
    kernel_result = detail::bits(value) << 32 | detail::bits(index);
  });
  EXPECT_EQ(extreme.result >> 32, detail::bits(extreme.image.get<T>(kDst)));
  EXPECT_EQ(static_cast<uint32_t>(extreme.result),
            detail::bits(extreme.image.get<T>(kDst + sizeof(T))));
}

TEST(Forms, RegistersAfterReductions) {
  check_registers<float>();
  check_registers<Half>();
}

template <typename T>
void check_arange() {
  const Image before(36);
  same_calls(
      before, [] { Arange(at<T>(kDst), T(3), T(2), 100); },
      [] { ArithProgression(at<T>(kDst), T(3), T(2), 100); });
  const Image after = run(before, [] { Arange(at<T>(kDst), T(3), T(2), 100); }).image;
  for (uint32_t i = 0; i < 100; ++i)
    ASSERT_EQ(after.get<T>(kDst + i * sizeof(T)), static_cast<T>(3 + 2 * int(i)));
}

TEST(Forms, Arange) {
  check_arange<int16_t>();
  check_arange<int32_t>();
  check_arange<float>();
  check_arange<Half>();
}

// On this chip Concat hands the scores on; pairs take 8 bytes whatever the score's type.
template <typename T>
void check_concat() {
  const Image before = reals<T>(37);
  const Outcome o = run(before, [] {
    LocalTensor<T> joined, source = at<T>(kSrc0);
    Concat(joined, source, at<T>(kSrc2), 2);
    Adds(at<T>(kDst), joined, T(0), 32);
    kernel_result = GetSortLen<T>(32) * 1000 + GetSortOffset<T>(5);
  });
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(o.image.get<T>(kDst + i * sizeof(T)), before.get<T>(kSrc0 + i * sizeof(T)));
  EXPECT_EQ(o.result, 8 / sizeof(T) * (32 * 1000 + 5));
}

TEST(Forms, ConcatAndSizesOfPairs) {
  check_concat<float>();
  check_concat<Half>();
}

template <typename T>
void check_digamma() {
  Image before(38);
  before.fill(kSrc0, spread<T>(1000, 38, 0.1f, 60.0f));
  const Image after = run(before, piped([] { Digamma(at<T>(kDst), at<T>(kSrc0), 1000); })).image;
  for (uint32_t i = 0; i < 1000; ++i) {
    const T x = before.get<T>(kSrc0 + i * sizeof(T));
    EXPECT_LE(
        distance(after.get<T>(kDst + i * sizeof(T)), true_digamma(static_cast<float>(x)), 1.0), 4)
        << static_cast<float>(x);
  }
}

TEST(Forms, Digamma) {
  check_digamma<float>();
  check_digamma<Half>();
}

// The front half of the gradient: one sum of grad * y per row, one block of equal lanes.
template <typename T>
void check_grad_front() {
  constexpr uint32_t kRows = 3, kColumns = 48, kBlock = 32 / sizeof(T);
  Image before(39);
  before.fill(kSrc0, spread<T>(kRows * kColumns, 39, -1, 1));
  before.fill(kSrc1, spread<T>(kRows * kColumns, 40, 0, 1));
  const Outcome o = run(before, piped([] {
                          SoftMaxShapeInfo shape{kRows, kColumns, kRows, kColumns};
                          SoftmaxGradFront(at<T>(kDst, kRows * 32), at<T>(kSrc0), at<T>(kSrc1),
                                           temporary(16384), SoftMaxTiling(), shape);
                        }));
  for (uint32_t r = 0; r < kRows; ++r) {
    double sum = 0;
    for (uint32_t c = 0; c < kColumns; ++c) {
      const uint32_t place = (r * kColumns + c) * sizeof(T);
      sum += double(static_cast<float>(before.get<T>(kSrc0 + place))) *
             static_cast<float>(before.get<T>(kSrc1 + place));
    }
    for (uint32_t lane = 0; lane < kBlock; ++lane) {
      EXPECT_LE(distance(o.image.get<T>(kDst + 32 * r + lane * sizeof(T)), sum, 4.0), 2)
          << "row " << r;
    }
  }
}

TEST(Forms, SoftmaxGradFront) {
  check_grad_front<float>();
  check_grad_front<Half>();
}

// A tiling computed in the kernel says the shape that a call without one needs.
TEST(Forms, SoftmaxTilingInTheKernel) {
  constexpr SoftMaxShapeInfo kShape{3, 48, 3, 48};
  constexpr auto kTiling = SoftMaxFlashV2TilingFunc(kShape, 4, 4, 16384, false);
  static_assert(kTiling.srcM == 3 && kTiling.srcK == 48 && kTiling.outMaxK == 8);
  static_assert(SoftMaxFlashV2TilingFunc(kShape, 4, 4, 700).splitM == 2);
  Image before(45);
  before.fill(kSrc0, spread<float>(3 * 48, 45, -4, 4));
  const auto flash = [](const SoftMaxTiling& tiling, const SoftMaxShapeInfo& shape) {
    SoftmaxFlashV2<float, false>(at<float>(kDst, 576), at<float>(kDst + 1024, 96),
                                 at<float>(kDst + 2048, 96), at<float>(kSrc0, 576),
                                 at<float>(kDst + 3072, 96), at<float>(kSrc1, 96),
                                 at<float>(kSrc2, 96), temporary(16384), tiling, shape);
  };
  same_calls(before, piped([=] { flash(kTiling, {}); }),
             piped([=] { flash(SoftMaxTiling(), kShape); }));
}

// Functions of one source that have a signature test in unary_test.cpp: here by the call.
TEST(Forms, FunctionsByTheCall) {
  Image before(41);
  before.fill(kSrc0, spread<float>(500, 41, 0.01f, 60));
  const Outcome ln = run(before, [] { Ln(at<float>(kDst), at<float>(kSrc0), 500); });
  const Outcome exp = run(before, [] { Exp(at<float>(kDst), at<float>(kSrc0), 500); });
  for (uint32_t i = 0; i < 500; ++i) {
    const double x = before.get<float>(kSrc0 + 4 * i);
    EXPECT_LE(distance(ln.image.get<float>(kDst + 4 * i), std::log(x), 0.0), 2) << x;
    EXPECT_LE(distance(exp.image.get<float>(kDst + 4 * i), std::exp(x), 0.0), 2) << x;
  }
}

// And, Or of 32-bit tensors: the count is one of 16-bit words; a whole tensor is a whole tensor.
template <typename T>
void check_wide_bits() {
  const Image before(42);
  Image some = before, all = before;
  for (uint32_t i = 0; i < 100; ++i) {
    const T a = before.get<T>(kSrc0 + 4 * i), b = before.get<T>(kSrc1 + 4 * i);
    if (i < 50) some.set<T>(kDst + 4 * i, a & b);
    all.set<T>(kDst + 4 * i, a | b);
  }
  EXPECT_TRUE(
      same<T>(run(before, [] { And(at<T>(kDst), at<T>(kSrc0), at<T>(kSrc1), 100); }).image, some));
  EXPECT_TRUE(same<T>(run(before,
                          [] {
                            LocalTensor<T> d = at<T>(kDst, 400);
                            d = at<T>(kSrc0) | at<T>(kSrc1);
                          })
                          .image,
                      all));
}

TEST(Forms, BitsOfWideTensors) {
  check_wide_bits<int32_t>();
  check_wide_bits<uint32_t>();
}

// Newer names are the same calls.
TEST(Forms, NewerNames) {
  const Image before = reals<float>(43);
  same_calls(
      before, [] { MulAddRelu(at<float>(kDst), at<float>(kSrc0), at<float>(kSrc1), 300); },
      [] { FusedMulAddRelu(at<float>(kDst), at<float>(kSrc0), at<float>(kSrc1), 300); });
  same_calls(
      before,
      [] {
        SetDeqScale(0.25f, 3, true);
        CastDequant<int8_t, int16_t, false>(at<int8_t>(kDst), at<int16_t>(kSrc0), 300);
      },
      [] {
        SetDeqScale(0.25f, 3, true);
        CastDeq<int8_t, int16_t, false>(at<int8_t>(kDst), at<int16_t>(kSrc0), 300);
      });
  same_calls(
      before,
      [] {
        SetDeqScale(half(0.5f));
        CastDequant(at<Half>(kDst), at<int32_t>(kSrc0), 200);
      },
      [] {
        SetDeqScale(half(0.5f));
        Cast(at<Half>(kDst), at<int32_t>(kSrc0), RoundMode::CAST_NONE, 200);
      });
}

// Shifts by a scalar of the primitive type.
TEST(Forms, ShiftsByThePrimitiveType) {
  const Image before(44);
  same_calls(
      before, [] { ShiftLeft<int16_t, int16_t>(at<int16_t>(kDst), at<int16_t>(kSrc0), 3, 99); },
      [] { ShiftLeft(at<int16_t>(kDst), at<int16_t>(kSrc0), int16_t(3), 99); });
  same_calls(
      before,
      [] {
        ShiftRight<int32_t, int32_t>(at<int32_t>(kDst), at<int32_t>(kSrc0), 5, uint64_t{60}, 2,
                                     {1, 1, 8, 8}, true);
      },
      [] {
        ShiftRight(at<int32_t>(kDst), at<int32_t>(kSrc0), 5, uint64_t{60}, 2, {1, 1, 8, 8}, true);
      });
}

// Page "SetVectorMask": a mask of 0 makes the instruction a no-operation; so do the pages of the
// reductions, and "Vector指令理论性能汇总" for a count or repeatTime of 0.
void nothing_happens(const std::function<void()>& body, const char* what) {
  const Image before(41);
  const Outcome after = run(before, body);
  EXPECT_TRUE(same<uint8_t>(after.image, before)) << what;
}

const UnaryRepeatParams kRows(1, 1, 8, 8);

TEST(Forms, AMaskThatSelectsNothingDoesNothing) {
  static const uint64_t none[2] = {0, 0};
  nothing_happens([] { Abs(at<float>(kDst), at<float>(kSrc0), uint64_t{0}, 3, kRows); }, "number");
  nothing_happens([] { Abs(at<Half>(kDst), at<Half>(kSrc0), none, 3, kRows); }, "bits");
  nothing_happens(
      [] {
        SetMaskNorm();
        SetVectorMask<float, MaskMode::NORMAL>(0);
        Abs<float, false>(at<float>(kDst), at<float>(kSrc0), MASK_PLACEHOLDER, 3, kRows);
        ResetMask();
      },
      "register, number");
  nothing_happens(
      [] {
        SetVectorMask<Half, MaskMode::NORMAL>(0, 0);
        Abs<Half, false>(at<Half>(kDst), at<Half>(kSrc0), MASK_PLACEHOLDER, 3, kRows);
        ResetMask();
      },
      "register, bits");
  nothing_happens(
      [] {
        SetMaskCount();
        SetVectorMask<float, MaskMode::COUNTER>(0);
        Abs<float, false>(at<float>(kDst), at<float>(kSrc0), MASK_PLACEHOLDER, 1, kRows);
        SetMaskNorm();
        ResetMask();
      },
      "counter");
  // The upper half of the bits is none of float's.
  static const uint64_t upper[2] = {0, ~uint64_t{0}};
  nothing_happens([] { Abs(at<float>(kDst), at<float>(kSrc0), upper, 3, kRows); }, "upper bits");
}

TEST(Forms, ReductionsUnderNoMaskLeaveTheirDestination) {
  nothing_happens([] { WholeReduceSum(at<float>(kDst), at<float>(kSrc0), 0, 3, 1, 1, 8); }, "sum");
  nothing_happens([] { WholeReduceMax(at<Half>(kDst), at<Half>(kSrc0), 0, 3, 1, 1, 8); }, "max");
  nothing_happens([] { BlockReduceMin(at<Half>(kDst), at<Half>(kSrc0), 3, 0, 1, 1, 8); }, "block");
  nothing_happens([] { PairReduceSum(at<float>(kDst), at<float>(kSrc0), 3, 0, 1, 1, 8); }, "pair");
}

TEST(Forms, CountsAndRepeatsOfZeroDoNothing) {
  nothing_happens([] { Abs(at<float>(kDst), at<float>(kSrc0), 0); }, "count");
  nothing_happens([] { Abs(at<float>(kDst), at<float>(kSrc0), uint64_t{64}, 0, kRows); }, "repeat");
  nothing_happens(
      [] {
        Copy(at<Half>(kDst), at<Half>(kSrc0), uint64_t{0}, 2, {1, 1, 8, 8});
      },
      "Copy");
  nothing_happens([] { Duplicate(at<Half>(kDst), Half(1.0f), uint64_t{0}, 2, 1, 8); }, "Duplicate");
}

}  // namespace
}  // namespace conformance
