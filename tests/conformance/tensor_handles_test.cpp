// Handles of tensors: sizes, views, casts, layouts, and which bytes they name.
#include <gmock/gmock.h>

#include "opkit/include/kernel_operator.h"
#include "tests/conformance/blocks.h"
#include "tests/conformance/elementwise.h"
#include "tests/conformance/ramps.h"

namespace conformance {
namespace {

using namespace AscendC;

TEST(Memory, HandlesOfLocalTensors) {
  Image before(5);
  const Outcome o = run(before, [] {
    LocalTensor<int32_t> t = at<int32_t>(kSrc0, 256);
    LocalTensor<int32_t> second;
    second.SetAddrWithOffset(t, 8);
    second.SetBufferLen(64);
    EXPECT_EQ(second.GetSize(), 16u);
    EXPECT_EQ(second.GetLength(), 64u);
    second.SetUserTag(42);
    EXPECT_EQ(second.GetUserTag(), 42);
    second.SetSize(8);
    const uint32_t dims[] = {2, 4};
    second.SetShapeInfo(ShapeInfo(2, dims));
    EXPECT_EQ(GetShapeSize(second.GetShapeInfo()), 8);
    Adds(at<int32_t>(kDst), second, 0, 8);
    // Views and casts name the same bytes.
    PipeBarrier<PIPE_ALL>();
    LocalTensor<int16_t> words = t[2].ReinterpretCast<int16_t>();
    kernel_result = static_cast<uint16_t>(words.GetValue(1));
    kernel_result |= uint64_t{words.GetSize()} << 32;
  });
  Image expected = before;
  for (uint32_t i = 0; i < 8; ++i)
    expected.set(kDst + 4 * i, before.get<int32_t>(kSrc0 + 32 + 4 * i));
  EXPECT_TRUE(same<int32_t>(o.image, expected));
  EXPECT_EQ(static_cast<uint16_t>(o.result), before.get<uint16_t>(kSrc0 + 8 + 2));
  EXPECT_EQ(o.result >> 32, (256u - 8) / 2);
}

// Elements of four bits, two in a byte (page "LocalTensor"): sizes, views, casts and addresses.
TEST(Memory, HandlesOfTensorsBelowAByte) {
  Image before(6);
  const Outcome o = run(before, [] {
    const LocalTensor<int4b_t> t(TPosition::VECCALC, kSrc0, 100);
    EXPECT_EQ(t.GetSize(), 100u);
    EXPECT_EQ(t.GetLength(), 50u);
    EXPECT_EQ(t[34].address_.bufferAddr, kSrc0 + 17);
    EXPECT_EQ(t[34].GetSize(), 66u);
    EXPECT_EQ(t.GetPhyAddr(34), t.GetPhyAddr() + 17);
    EXPECT_EQ(t.ReinterpretCast<int8_t>().GetSize(), 50u);
    EXPECT_EQ(t.ReinterpretCast<int8_t>().ReinterpretCast<int4b_t>().GetSize(), 100u);
    EXPECT_EQ(t[64].ReinterpretCast<half>().address_.bufferAddr, kSrc0 + 32);
    LocalTensor<int4b_t> odd(TPosition::VECCALC, 0, 7);  // its last byte holds one element
    EXPECT_EQ(odd.GetLength(), 4u);
    odd.SetSize(9);
    EXPECT_EQ(odd.GetLength(), 5u);
    LocalTensor<int4b_t> second;
    LocalTensor<int4b_t> whole = t;
    second.SetAddrWithOffset(whole, 64);
    second.SetBufferLen(32);
    EXPECT_EQ(second.GetSize(), 64u);
    // The last 64 of 192 elements, as bytes.
    const LocalTensor<int4b_t> row(TPosition::VECCALC, kSrc0, 192);
    Adds(at<int16_t>(kDst), row[128].ReinterpretCast<int16_t>(), int16_t{0}, 16);
  });
  Image expected = before;
  for (uint32_t i = 0; i < 16; ++i)
    expected.set(kDst + 2 * i, before.get<int16_t>(kSrc0 + 64 + 2 * i));
  EXPECT_TRUE(same<int16_t>(o.image, expected));
}

TEST(Memory, LayoutsPlaceCoordinates) {
  const auto layout = MakeLayout(MakeShape(3, 4, 5), MakeStride(20, 5, 1));
  static_assert(is_layout_v<std::decay_t<decltype(layout)>> && !is_layout_v<int>);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int k = 0; k < 5; ++k) {
        EXPECT_EQ(Crd2Idx(MakeCoord(i, j, k), layout), 20 * i + 5 * j + k);
        EXPECT_EQ(Crd2Idx(MakeCoord(k, j), MakeShape(9, 9), MakeStride(7, 3)), 7 * k + 3 * j);
      }
    }
  }
  EXPECT_EQ(std::get<1>(layout.GetShape()) * std::get<0>(layout.GetStride()), 80);
}

TEST(Memory, HandlesOfGlobalTensors) {
  const auto after = run_blocks<int32_t>(ramp(64),
                                         [](int32_t* gm) {
                                           GlobalTensor<int32_t> t = global(gm, 64);
                                           t.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
                                           const uint32_t dims[] = {4, 16};
                                           t.SetShapeInfo(ShapeInfo(2, dims));
                                           EXPECT_EQ(GetShapeSize(t.GetShapeInfo()), 64);
                                           const GlobalTensor<int32_t> row = t[16];
                                           EXPECT_EQ(row.GetSize(), 48u);
                                           EXPECT_EQ(row.GetPhyAddr(), gm + 16);
                                           row.SetValue(1, t.GetValue(2) * 100);
                                           row(2) = 7;
                                         },
                                         {.raw = true});
  auto expected = ramp(64);
  expected[17] = 300;
  expected[18] = 7;
  EXPECT_EQ(after, expected);
}

// The page's numbers: 16 words of 32 bits are 32 of 16, low half first.
TEST(Memory, GlobalTensorsAsAnotherType) {
  const auto after = run_blocks<int32_t>(ramp(32), [](int32_t* gm) {
    GlobalTensor<int32_t> words = global(gm, 16);
    words.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
    const GlobalTensor<int16_t> halves = words.ReinterpretCast<int16_t>();
    EXPECT_EQ(halves.GetSize(), 32u);
    EXPECT_TRUE(halves.bypasses_l2());
    EXPECT_EQ(words[3].ReinterpretCast<int64_t>().GetSize(), 6u);
    EXPECT_EQ(global(gm).ReinterpretCast<int8_t>().GetSize(), 0u);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 64);
    LocalTensor<int16_t> x = buffer.Get<int16_t>();
    DataCopy(x, halves, 32);
    PipeBarrier<PIPE_ALL>();
    DataCopy(global(gm + 16).ReinterpretCast<int16_t>(), x, 32);
  });
  EXPECT_EQ(after, expected_halves(32, [](int32_t x) { return x; }));
}

}  // namespace
}  // namespace conformance
