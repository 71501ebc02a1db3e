// BilinearInterpolation against the steps of its page: gather blocks, spread weights, multiply,
// add.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/conformance/elementwise.h"

namespace conformance {
namespace {

using ::testing::HasSubstr;

struct Call {
  uint32_t h, v;
  bool each;  // repeatMode: a weight for every block
  uint16_t stride, row;
  uint64_t mask;
};

// dst, after the image: products round to half, then sums do.
void expect_like_the_page(const Call& call) {
  Image before(7);
  const auto picture = values<Half>(512, 1, false), weights = values<Half>(64, 2, false);
  before.fill(kSrc0, picture);
  before.fill(kSrc1, weights);
  std::vector<uint32_t> offsets(8 * call.h * call.v);
  for (uint32_t i = 0; i < offsets.size(); ++i) offsets[i] = (i * 7 + 3) % 32 * 32;
  before.fill(kSrc1 + 1024, offsets);
  Image expected = before;
  for (uint32_t v = 0; v < call.v; ++v) {
    for (uint32_t i = 0; i < 128; ++i) {
      if (i >= call.mask) continue;
      Half sum;
      for (uint32_t h = 0; h < call.h; ++h) {
        const uint32_t iteration = v * call.h + h, block = 8 * iteration + i / 16;
        const Half x = picture[offsets[block] / 2 + i % 16];
        const Half w = weights[call.each ? block : iteration];
        const Half product(static_cast<float>(x) * static_cast<float>(w));
        sum = h == 0 ? product : Half(static_cast<float>(sum) + static_cast<float>(product));
      }
      expected.set(kDst + (v * call.row + i / 16 * call.stride * 16 + i % 16) * 2, sum);
    }
  }
  const Outcome outcome = run(before, [&] {
    AscendC::BilinearInterpolation(at<Half>(kDst), at<Half>(kSrc0, 1024),
                                   at<uint32_t>(kSrc1 + 1024), at<Half>(kSrc1, 128), call.mask,
                                   static_cast<uint8_t>(call.h), call.each, call.stride, call.row,
                                   static_cast<uint8_t>(call.v), at<uint8_t>(kSrc2));
  });
  ASSERT_TRUE(outcome.faults.empty()) << outcome.faults[0].message;
  for (uint32_t byte = 0; byte < kSrc2; byte += 2)
    ASSERT_EQ(outcome.image.get<uint16_t>(byte), expected.get<uint16_t>(byte)) << byte;
}

TEST(Bilinear, FollowsItsPage) {
  expect_like_the_page({2, 2, false, 1, 128, 128});
  expect_like_the_page({2, 2, true, 1, 128, 128});
  expect_like_the_page({3, 2, true, 2, 320, 100});
  expect_like_the_page({1, 3, false, 1, 128, 64});
}

TEST(Bilinear, NeedsRoom) {
  const auto faults = faults_of([] {
    AscendC::BilinearInterpolation(at<Half>(kDst), at<Half>(kSrc0), at<uint32_t>(kSrc1),
                                   at<Half>(kSrc2), uint64_t{128}, 2, true, 1, 128, 2,
                                   at<uint8_t>(kSrc2 + 1024, 256));
  });
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].code, "EK1801");
  EXPECT_THAT(faults[0].message, HasSubstr("BilinearInterpolation: needs"));
}

}  // namespace
}  // namespace conformance
