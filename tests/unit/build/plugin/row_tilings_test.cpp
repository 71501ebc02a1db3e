#include "opkit_host/row_tilings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace opkit {
namespace {

using AscendC::tiling::LayerNormTiling;
using AscendC::tiling::SoftMaxTiling;

TEST(SoftMaxTiling, CoversEveryRowOnce) {
  for (const int64_t rows : {1, 7, 64}) {
    for (const int64_t length : {1, 16, 100, 1024}) {
      const ge::Shape shape({rows, length});
      const uint32_t min = AscendC::GetSoftMaxMinTmpSize(shape, 2, false);
      const uint32_t max = AscendC::GetSoftMaxMaxTmpSize(shape, 2, false);
      ASSERT_LE(min, max);
      for (const uint32_t bytes : {min, (min + max) / 2, max}) {
        SoftMaxTiling t;
        AscendC::SoftMaxTilingFunc(shape, 2, bytes, t);
        EXPECT_EQ(t.splitM * t.rangeM + t.tailM, rows);
        EXPECT_EQ(t.srcSize, rows * length);
        EXPECT_EQ(t.splitSize, t.splitM * length);
        EXPECT_EQ(t.outMaxK, 16u);
        EXPECT_LE(t.splitSize * 4, bytes);
        if (bytes == max) {
          EXPECT_EQ(t.rangeM, 1u);
        }
      }
    }
  }
}

TEST(SoftMaxTiling, RefusesATooSmallBuffer) {
  optiling::SoftMaxTiling t;
  ::testing::internal::CaptureStderr();
  AscendC::SoftMaxTilingFunc(ge::Shape({4, 1000}), 4, 100, t);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), ::testing::HasSubstr("OPK-HOST-009"));
  EXPECT_EQ(t.get_splitM(), 0u);
}

TEST(LayerNormTiling, CoversEveryRowOnce) {
  const ge::Shape shape({3, 5, 64, 60});
  uint32_t min = 0, max = 0;
  AscendC::GetLayerNormMaxMinTmpSize(shape, 4, false, max, min);
  for (const uint32_t bytes : {min, 3 * min, max}) {
    LayerNormTiling t;
    AscendC::GetLayerNormNDTilingInfo(shape, bytes, 4, false, t);
    EXPECT_EQ(t.loopRound * t.inputRoundSize + t.inputTailSize, t.inputXSize);
    EXPECT_EQ(t.loopRound * t.meanVarRoundSize + t.meanVarTailSize, t.meanVarSize);
    EXPECT_EQ(t.inputXSize, 3u * 5 * 64);
    EXPECT_LE(t.tmpBufSize * 4, bytes);
    EXPECT_EQ(t.lastDimValueBack, 1.0f / 60);
  }
  LayerNormTiling none;
  ::testing::internal::CaptureStderr();
  AscendC::GetLayerNormNDTilingInfo(shape, min - 4, 4, false, none);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), ::testing::HasSubstr("OPK-HOST-009"));
  EXPECT_EQ(none.loopRound, 0u);
}

TEST(TemporarySizes, GrowWithTheSourceAndTheType) {
  uint32_t max = 0, min = 0, max_half = 0, min_half = 0, max_reuse = 0, min_reuse = 0;
  const ge::Shape shape({1000});
  AscendC::GetGeluMaxMinTmpSize(shape, 4, false, max, min);
  AscendC::GetGeluMaxMinTmpSize(shape, 2, false, max_half, min_half);
  AscendC::GetGeluMaxMinTmpSize(shape, 4, true, max_reuse, min_reuse);
  EXPECT_EQ(min, 3u * 256);
  EXPECT_EQ(max, 3u * 4096);
  EXPECT_EQ(min_half, 4u * 256);  // includes the float copy of the source
  EXPECT_EQ(max_half, 4u * 4096);
  EXPECT_EQ(max_reuse, 2u * 4096);
  AscendC::GetPowerMaxMinTmpSize(ge::Shape({1}), shape, false, 4, false, max, min);
  EXPECT_EQ(max, 4u * 4096);
}

// Elements by a factor fit the buffer that the other helper asks for.
TEST(TemporarySizes, FactorOfPowerAgreesWithItsSizes) {
  const ge::Shape shape({1024});
  for (const bool whole : {false, true}) {
    for (const uint32_t size : whole ? std::vector<uint32_t>{4} : std::vector<uint32_t>{2, 4}) {
      uint32_t max = 0, min = 0, factor = 0, extra = 1;
      AscendC::GetPowerMaxMinTmpSize(shape, shape, whole, size, false, max, min);
      AscendC::GetPowerTmpBufferFactorSize(true, false, whole, size, factor, extra);
      EXPECT_EQ(factor * size * 1024 + extra, max) << whole << " " << size;
    }
  }
}

}  // namespace
}  // namespace opkit
