// Strips of columns that Fast mode computes as whole rows: the same bits as with an observer, for
// whom every instruction is computed by itself.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

class Onlooker : public Observer {};

constexpr uint32_t kRows = 15, kColumns = 200, kAll = kRows * kColumns;
constexpr uint8_t kPitch = kColumns / 8;  // blocks
const DataCopyExtParams kWhole{1, kAll * 4, 0, 0, 0};

LocalTensor<float> room(uint32_t i) {
  return LocalTensor<float>(TPosition::VECCALC, i * 16384, 4096);
}

struct Given {
  GlobalTensor<float> x, y, z;
  explicit Given(void* const* args) {
    x.SetGlobalBuffer(static_cast<float*>(args[0]), kAll);
    y.SetGlobalBuffer(static_cast<float*>(args[1]), kAll);
    z.SetGlobalBuffer(static_cast<float*>(args[2]), kAll);
    DataCopyPad(room(0), x, kWhole, DataCopyPadExtParams<float>{false, 0, 0, 0});
    DataCopyPad(room(1), y, kWhole, DataCopyPadExtParams<float>{false, 0, 0, 0});
  }
};

// call(dst, src, numbers) for strips of 64 columns up to `columns`; a block of `numbers` per row.
template <typename Call>
void by_strips(const LocalTensor<float>& dst, const LocalTensor<float>& src,
               const LocalTensor<float>& numbers, uint32_t columns, const Call& call) {
  for (uint32_t c = 0; c < columns; c += 64) {
    const uint64_t mask = columns - c < 64 ? columns - c : 64;
    call(dst[c], src[c], numbers, mask, uint8_t{kRows},
         BinaryRepeatParams(1, 1, 0, kPitch, kPitch, 1));
  }
}
const auto kSub = [](const auto&... o) { Sub(o...); };
const auto kMul = [](const auto&... o) { Mul(o...); };

void normalised(void* const* args) {
  Given g(args);
  by_strips(room(2), room(0), room(1), kColumns, kSub);
  by_strips(room(2), room(2), room(1), kColumns, kMul);
  Mul(room(2), room(2), room(0), kAll);
  Adds(room(3), room(2), 0.5f, kAll);
  Relu(room(3), room(3), kAll);
  DataCopyPad(g.z, room(3), kWhole);
}

void in_place_of_a_copy(void* const* args) {
  Given g(args);
  by_strips(room(0), room(0), room(1), kColumns, kMul);
  DataCopyPad(g.z, room(0), kWhole);
}

void rows_that_stay_incomplete(void* const* args) {
  Given g(args);
  by_strips(room(0), room(0), room(1), 128, kSub);
  by_strips(room(1), room(0), room(1), 64, kMul);
  Add(room(2), room(0), room(1), kAll);
  DataCopyPad(g.z, room(2), kWhole);
}

// The numbers of later rows are results of earlier ones.
void numbers_among_the_results(void* const* args) {
  Given g(args);
  by_strips(room(0), room(1), room(0)[16], kColumns, kSub);
  by_strips(room(1)[8], room(1), room(2), 64, kMul);
  Add(room(2), room(0), room(1), kAll);
  DataCopyPad(g.z, room(2), kWhole);
}

void others_between_strips(void* const* args) {
  Given g(args);
  const BinaryRepeatParams rows(1, 1, 0, kPitch, kPitch, 1);
  Sub(room(2), room(0), room(1), uint64_t{64}, kRows, rows);
  Duplicate(room(1), 3.0f, 8);
  Sub(room(2)[64], room(0)[64], room(1), uint64_t{64}, kRows, rows);
  Duplicate(room(0)[128], 5.0f, 16);
  Sub(room(2)[128], room(0)[128], room(1), uint64_t{64}, kRows, rows);
  room(1).SetValue(0, room(2).GetValue(130));
  Sub(room(2)[192], room(0)[192], room(1), uint64_t{8}, kRows, rows);
  DataCopyPad(g.z, room(2), kWhole);
}

// Strip upon strip, and sums of a copy that has not been made into one that has not either.
void folded_and_reduced(void* const* args) {
  Given g(args);
  const BinaryRepeatParams onto(1, 1, 1, 8, 8, kPitch);
  Adds(room(2), room(0), 0.0f, uint64_t{64}, kRows, UnaryRepeatParams(1, 1, 8, kPitch));
  Add(room(2), room(2), room(0)[64], uint64_t{64}, kRows, onto);
  Max(room(2), room(2), room(0)[128], uint64_t{64}, kRows, onto);
  Add(room(2), room(2), room(0)[192], uint64_t{8}, kRows, onto);
  Adds(room(2)[kRows * 64], room(0)[kRows * 64], 0.0f, kAll - kRows * 64);
  WholeReduceSum(room(1), room(0), 64, kRows, 1, 1, kPitch);
  WholeReduceMax(room(1)[32], room(2), 64, kRows, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
  Add(room(3), room(1), room(2), kAll);
  DataCopyPad(g.z, room(3), kWhole);
}

// The register means something else in counter mode.
void counted_between_strips(void* const* args) {
  Given g(args);
  const BinaryRepeatParams rows(1, 1, 0, kPitch, kPitch, 1);
  Adds(room(2), room(0), 1.0f, kAll);
  Sub(room(2), room(0), room(1), uint64_t{64}, kRows, rows);
  SetMaskCount();
  SetVectorMask<float, MaskMode::COUNTER>(0, ~uint64_t{0} >> 56);
  Sub<float, false>(room(2)[64], room(0)[64], room(1), MASK_PLACEHOLDER, 1, rows);
  SetMaskNorm();
  ResetMask();
  Sub(room(2)[128], room(0)[128], room(1), uint64_t{64}, kRows, rows);
  Sub(room(2)[8], room(0)[72], room(1), uint64_t{64}, kRows, rows);
  DataCopyPad(g.z, room(2), kWhole);
}

// The last row of the second strip would end behind its tensor of `size` elements at `offset`.
void two_strips_into(uint32_t offset, uint32_t size) {
  const LocalTensor<float> narrow(TPosition::VECCALC, offset, size);
  const BinaryRepeatParams rows(1, 1, 0, kPitch, kPitch, 1);
  Sub(narrow, room(0), room(1), uint64_t{64}, kRows, rows);
  Sub(narrow[64], room(0)[64], room(1), uint64_t{64}, kRows, rows);
}
constexpr uint32_t kNarrow = (kRows - 1) * kColumns + 96;
void beyond_the_tensor(void* const* args) {
  Given g(args);
  two_strips_into(32768, kNarrow);
}
void beyond_the_memory(void* const* args) {
  Given g(args);
  const uint32_t end = detail::core()->memory_size[OPK_MEM_UB];
  two_strips_into(end - kNarrow * 4, kAll);
}

// Shows that the first of two NaN is the result.
void of_two_nan(void* const* args) {
  Given g(args);
  const LocalTensor<uint32_t> left = room(0).ReinterpretCast<uint32_t>(),
                              right = room(1).ReinterpretCast<uint32_t>();
  Duplicate(left, 0x7fc00001u, kAll);
  Duplicate(right, 0xffc00002u, kAll);
  by_strips(room(2), room(0), room(1), kColumns, kMul);
  by_strips(room(3), room(0), room(1), kColumns, [](const auto&... o) { Add(o...); });
  Adds(room(3)[1504], room(2)[1504], 0.0f, kAll - 1504);
  DataCopyPad(g.z, room(3), kWhole);
}

void of_halves(void* const* args) {
  Given g(args);
  const LocalTensor<half> wide = room(2).ReinterpretCast<half>(),
                          numbers = room(3).ReinterpretCast<half>();
  Cast(wide, room(0), RoundMode::CAST_RINT, kAll);
  Cast(numbers, room(1), RoundMode::CAST_RINT, kAll);
  const BinaryRepeatParams rows(1, 1, 0, 12, 12, 1);  // 192 columns
  Div(wide, wide, numbers, uint64_t{128}, kRows, rows);
  Div(wide[128], wide[128], numbers, uint64_t{64}, kRows, rows);
  Sub(wide, wide, numbers, uint64_t{23}, kRows, rows);
  Cast(room(1), wide, RoundMode::CAST_NONE, kAll);
  DataCopyPad(g.z, room(1), kWhole);
}

template <KernelBody body>
std::vector<float> result_of(Observer* observer) {
  std::vector<float> x(kAll), y(kAll), z(kAll, -1.0f);
  for (uint32_t i = 0; i < kAll; ++i) {
    x[i] = static_cast<float>(static_cast<int>(i * 7 % 211) - 105) / 3.0f;
    y[i] = static_cast<float>(i * 13 % 97 + 1) / 7.0f;
  }
  LaunchSetup setup;
  setup.observer = observer;
  EXPECT_TRUE(run<body>({x.data(), y.data(), z.data()}, setup).ok());
  return z;
}

template <KernelBody body>
void expect_bits_of_single_calls() {
  Onlooker onlooker;
  const std::vector<float> fast = result_of<body>(nullptr), plain = result_of<body>(&onlooker);
  for (uint32_t i = 0; i < kAll; ++i)
    ASSERT_EQ(std::memcmp(&fast[i], &plain[i], sizeof(float)), 0)
        << "element " << i << ": " << fast[i] << ", expected " << plain[i];
}

TEST(Strips, BecomeRowsOfAChain) { expect_bits_of_single_calls<normalised>(); }
TEST(Strips, OverACopyThatIsOnlyNoted) { expect_bits_of_single_calls<in_place_of_a_copy>(); }
TEST(Strips, StayIncomplete) { expect_bits_of_single_calls<rows_that_stay_incomplete>(); }
TEST(Strips, ReadWhatTheyWrite) { expect_bits_of_single_calls<numbers_among_the_results>(); }
TEST(Strips, EndBeforeOtherCalls) { expect_bits_of_single_calls<others_between_strips>(); }
TEST(Strips, FoldAndReduce) { expect_bits_of_single_calls<folded_and_reduced>(); }
TEST(Strips, InCounterModeBetween) { expect_bits_of_single_calls<counted_between_strips>(); }
TEST(Strips, TellWhatLiesBehindTheirTensors) {
  std::vector<float> x(kAll), y(kAll), z(kAll);
  const LaunchReport report = run<beyond_the_tensor>({x.data(), y.data(), z.data()}, {});
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings.front().message.find("Sub: "), 0u) << report.warnings.front().message;
}
TEST(Strips, EndWithTheMemory) {
  std::vector<float> x(kAll), y(kAll), z(kAll);
  const LaunchReport report = run<beyond_the_memory>({x.data(), y.data(), z.data()}, {});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.faults.front().message.find("Sub: "), 0u) << report.faults.front().message;
}
TEST(Strips, OfTwoNan) { expect_bits_of_single_calls<of_two_nan>(); }
TEST(Strips, OfHalves) { expect_bits_of_single_calls<of_halves>(); }

}  // namespace
}  // namespace opkit::core::test
