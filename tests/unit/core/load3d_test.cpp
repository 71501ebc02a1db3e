// What LoadData (3D) reads of its image: the pixels from the first to the last of its window in
// each plane, by the formulas of the vendor's page "LoadData_3D"; other pixels may be overwritten
// meanwhile, and need not exist.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/core/modes/checked.h"
#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

constexpr uint32_t kPixels = 64, kUnit = 32;  // measure an image of one row; bytes of a pixel's C0

uint32_t image_at, image_pixels, first_row, written_at, channels;

void fills(uint32_t at, uint16_t blocks) {
  InitConstValue(LocalTensor<half>(TPosition::A1, at, blocks * 16),
                 InitConstValueParams<half>(1, blocks, 0, half(1.0f)));
}

// Sixteen rows of a matrix whose columns lie in planes of kPixels rows.
void load_rows() {
  LoadData3DParamsV2<half> p;
  p.l1H = 1;
  p.l1W = kPixels;
  p.channelSize = static_cast<uint16_t>(channels);
  p.kExtension = static_cast<uint16_t>(channels);
  p.mExtension = 16;
  p.mStartPt = static_cast<uint16_t>(first_row);
  p.strideW = p.strideH = p.filterW = p.filterH = p.dilationFilterW = p.dilationFilterH = 1;
  LoadData(LocalTensor<half>(TPosition::A2, 0, 16 * channels),
           LocalTensor<half>(TPosition::A1, image_at, image_pixels * channels), p);
}

void loads_while_the_image_changes(void* const*) {
  fills(0, 2 * kPixels);
  SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
  load_rows();
  PipeBarrier<PIPE_MTE2>();
  fills(written_at, 8);
}

size_t findings(uint32_t row, uint32_t at) {
  image_at = 0;
  image_pixels = kPixels;
  channels = 32;
  first_row = row;
  written_at = at;
  Checked checked;
  LaunchSetup setup;
  setup.observer = &checked;
  setup.task_type = OPK_TASK_AIC_ONLY;
  const CheckedReport report =
      checked.take_report(run<loads_while_the_image_changes>({nullptr}, setup));
  for (const Finding& finding : report.findings) EXPECT_EQ(finding.code, "EK1303");
  return report.findings.size();
}

TEST(Load3d, ReadsItsRowsOfEveryPlane) {
  for (const uint32_t plane : {0u, kPixels * kUnit}) {
    EXPECT_EQ(findings(0, plane + 8 * kUnit), 1u) << plane;
    EXPECT_EQ(findings(0, plane + 16 * kUnit), 0u) << plane;
    EXPECT_EQ(findings(0, plane + 56 * kUnit), 0u) << plane;
    EXPECT_EQ(findings(32, plane + 0 * kUnit), 0u) << plane;
    EXPECT_EQ(findings(32, plane + 24 * kUnit), 0u) << plane;
    EXPECT_EQ(findings(32, plane + 40 * kUnit), 1u) << plane;
    EXPECT_EQ(findings(32, plane + 48 * kUnit), 0u) << plane;
  }
}

void loads(void* const*) { load_rows(); }

TEST(Load3d, PixelsBehindTheWindowNeedNotExist) {
  LaunchSetup setup;
  setup.task_type = OPK_TASK_AIC_ONLY;
  channels = 16;
  image_pixels = 16;
  first_row = 0;
  image_at = 512 * 1024 - 16 * kUnit;
  EXPECT_TRUE(run<loads>({nullptr}, setup).ok());
  first_row = 16;
  const LaunchReport behind = run<loads>({nullptr}, setup);
  ASSERT_EQ(behind.faults.size(), 1u);
  EXPECT_EQ(behind.faults[0].code, "EK1001");
}

}  // namespace
}  // namespace opkit::core::test
