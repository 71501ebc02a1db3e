#include "opkit_host/norm_tilings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opkit {
namespace {

TEST(NormTilings, RowsAndLengthsReachTheKernel) {
  const ge::Shape shape({3, 5, 64}), original({3, 5, 60});
  uint32_t max = 0, min = 0;
  ASSERT_TRUE(AscendC::GetRmsNormMaxMinTmpSize(shape, 2, max, min));
  EXPECT_LE(min, max);
  optiling::RmsNormTiling rms;
  ASSERT_TRUE(AscendC::GetRmsNormTilingInfo(shape, original, min, 2, rms));
  EXPECT_EQ(rms.get_bLength() * rms.get_sLength(), 15u);
  EXPECT_EQ(rms.get_hLength(), 64u);
  EXPECT_EQ(rms.get_originalHLength(), 60u);
  EXPECT_EQ(rms.get_reciprocalOfHLength(), 1.0f / 60);
  AscendC::tiling::DeepNormTiling deep;
  ASSERT_TRUE(AscendC::GetDeepNormTilingInfo(shape, original, min, 2, false, false, deep));
  EXPECT_EQ(deep.loopRound * deep.inputRoundSize, deep.inputXSize);
}

// Shows that only the batch of the original shape counts: rows of the tensor are as long as its own
// shape says.
TEST(NormTilings, BatchNormKeepsTheRowsOfTheTensor) {
  AscendC::tiling::BatchNormTiling t;
  ASSERT_TRUE(AscendC::GetBatchNormNDTilingInfo(ge::Shape({16, 4, 16}), ge::Shape({15, 4, 12}),
                                                1 << 12, 4, false, t));
  EXPECT_EQ(t.originalBLength, 15u);
  EXPECT_EQ(t.meanVarSize, 64u);
  EXPECT_EQ(t.bshCurLength, 15u * 64);
}

TEST(NormTilings, RefuseWhatDoesNotFit) {
  const ge::Shape shape({3, 5, 64});
  uint32_t max = 0, min = 0;
  AscendC::tiling::RmsNormTiling rms;
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(AscendC::GetRmsNormMaxMinTmpSize(ge::Shape({5, 64}), 4, max, min));
  EXPECT_FALSE(AscendC::GetRmsNormTilingInfo(shape, ge::Shape({3, 5, 65}), 1 << 20, 4, rms));
  EXPECT_FALSE(AscendC::GetRmsNormTilingInfo(shape, shape, 100, 4, rms));
  AscendC::tiling::LayerNormGradTiling grad;
  AscendC::GetLayerNormGradNDTilingInfo(shape, 10, 4, false, grad);
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, ::testing::HasSubstr("OPK-HOST-009"));
  EXPECT_THAT(text, ::testing::HasSubstr("the shapes must be {B, S, H}"));
  EXPECT_THAT(text, ::testing::HasSubstr("RmsNorm: a row of 64 elements needs"));
  EXPECT_THAT(text, ::testing::HasSubstr("LayerNormGrad: a row of 64 elements needs"));
  EXPECT_EQ(grad.hLength, 0u);
}

}  // namespace
}  // namespace opkit
