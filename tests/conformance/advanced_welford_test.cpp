// WelfordUpdate and WelfordFinalize against twins in double. Bounds: 4 units of the values a lane
// comes from, 8 for the sums of a row.
#include <gmock/gmock.h>

#include "opkit/include/ascendc/advanced_welford.h"
#include "tests/conformance/advanced.h"
#include "tiling/tiling_api.h"

namespace conformance {
namespace {

constexpr uint32_t kMean = kSrc1, kM2 = kSrc1 + 4096, kCounts = kSrc2;
constexpr AscendC::WelfordUpdateConfig kInPlace{true};

bool same_bits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

template <typename T, const AscendC::WelfordUpdateConfig& config>
void check_update(uint32_t ab, uint32_t n, bool shared) {
  Image before(31);
  const auto x = spread<T>(ab, 1, -9, 11);
  const auto mean = spread<float>(ab, 2, -3, 5), m2 = spread<float>(ab, 3, 0, 100);
  before.fill(kSrc0, x);
  before.fill(kMean, mean);
  before.fill(kM2, m2);
  uint32_t max = 0, min = 0;
  AscendC::GetWelfordUpdateMaxMinTmpSize(ge::Shape({1, ab}), sizeof(T), 4, false, false, max, min);
  const AscendC::WelfordUpdateParam p{1, ab, n, 1.0f / 3};
  const Image after = run(before, piped([&] {
                            const auto d = at<float>(kDst), e = at<float>(kDst + 4096),
                                       a = at<float>(kMean), b = at<float>(kM2);
                            const auto s = at<T>(kSrc0);
                            if (shared)
                              return AscendC::WelfordUpdate<T, float, false, config>(
                                  d, e, a, b, s, temporary(min), p);
                            AscendC::WelfordUpdate<T, float, false, config>(d, e, a, b, s, p);
                          }))
                          .image;
  for (uint32_t i = 0; i < ab; ++i) {
    const float got = after.get<float>(kDst + i * 4), got2 = after.get<float>(kDst + 4096 + i * 4);
    if (i >= n) {
      const float old = before.get<float>(kDst + i * 4),
                  old2 = before.get<float>(kDst + 4096 + i * 4);
      ASSERT_TRUE(same_bits(got, config.isInplace ? mean[i] : old)) << i;
      ASSERT_TRUE(same_bits(got2, config.isInplace ? m2[i] : old2)) << i;
      continue;
    }
    const double v = static_cast<float>(x[i]), next = mean[i] + (v - mean[i]) * double{1.0f / 3};
    ASSERT_LE(distance(got, next, 8), 4) << ab << " at " << i;
    ASSERT_LE(distance(got2, m2[i] + (v - mean[i]) * (v - next), 128), 4) << ab << " at " << i;
  }
}
TEST(AdvancedWelford, Update) {
  for (bool shared : {true, false}) {
    for (uint32_t n : {1u, 15u, 16u, 63u, 64u, 65u, 1000u}) {
      const uint32_t ab = (n + 16) / 16 * 16;
      check_update<float, AscendC::WFUPDATE_DEFAULT_CFG>(ab, n, shared);
      check_update<Half, AscendC::WFUPDATE_DEFAULT_CFG>(ab, n, shared);
      check_update<float, kInPlace>(ab, n, shared);
      check_update<Half, kInPlace>(ab, n, shared);
    }
  }
}

struct Split {
  uint32_t ab, head, head_count, tail_count;
};
// form: 0 with counts, 1 without; `rn` pieces without a tail when tail_count is 0.
void check_finalize(const Split& s, bool with_counts, bool shared) {
  Image before(32);
  const auto mean = spread<float>(s.ab, 2, -3, 5), m2 = spread<float>(s.ab, 3, 0, 100);
  std::vector<int32_t> counts(s.ab);
  double all = 0;
  for (uint32_t i = 0; i < s.ab; ++i) {
    counts[i] = static_cast<int32_t>(i < s.head ? s.head_count : s.tail_count);
    all += counts[i];
  }
  before.fill(kMean, mean);
  before.fill(kM2, m2);
  before.fill(kCounts, counts);
  uint32_t max = 0, min = 0;
  AscendC::GetWelfordFinalizeMaxMinTmpSize(ge::Shape({s.ab}), 4, false, max, min);
  AscendC::WelfordFinalizePara p{s.head_count,
                                 s.ab,
                                 s.head_count,
                                 s.head,
                                 s.tail_count,
                                 s.ab - s.head,
                                 1.0f / static_cast<float>(s.ab),
                                 static_cast<float>(1 / all),
                                 0};
  const Image after = run(before, piped([&] {
                            const auto d = at<float>(kDst), v = at<float>(kDst + 32),
                                       a = at<float>(kMean), b = at<float>(kM2);
                            const auto k = at<int32_t>(kCounts);
                            const auto t = temporary(min);
                            if (with_counts && shared)
                              return AscendC::WelfordFinalize<false>(d, v, a, b, k, t, p);
                            if (with_counts) return AscendC::WelfordFinalize(d, v, a, b, k, p);
                            if (shared) return AscendC::WelfordFinalize(d, v, a, b, t, p);
                            AscendC::WelfordFinalize(d, v, a, b, p);
                          }))
                          .image;
  double sum = 0, variance = 0;
  for (uint32_t i = 0; i < s.ab; ++i) sum += counts[i] * double{mean[i]} / all;
  for (uint32_t i = 0; i < s.ab; ++i)
    variance += (m2[i] + counts[i] * (mean[i] - sum) * (mean[i] - sum)) / all;
  ASSERT_LE(distance(after.get<float>(kDst), sum, 4), 8) << s.ab << " " << with_counts;
  ASSERT_LE(distance(after.get<float>(kDst + 32), variance, 0), 8) << s.ab << " " << with_counts;
}
TEST(AdvancedWelford, Finalize) {
  for (bool shared : {true, false}) {
    for (bool counts : {true, false}) {
      for (const Split& s : {Split{8, 8, 3, 0}, Split{64, 64, 5, 0}, Split{72, 30, 4, 3},
                             Split{72, 3, 4, 3}, Split{1000, 640, 7, 6}, Split{16, 0, 2, 1}})
        check_finalize(s, counts, shared);
    }
  }
}
TEST(AdvancedWelford, Refusals) {
  const auto fault = [](auto body) {
    const auto faults = faults_of(piped(body));
    return faults.empty() ? std::string("none") : faults[0].code + " " + faults[0].message;
  };
  const auto update = [&](uint32_t rn, uint32_t n) {
    return fault([=] {
      const auto x = at<float>(kSrc0);
      AscendC::WelfordUpdate<float, float>(at<float>(kDst), at<float>(kDst + 4096), x, x, x,
                                           AscendC::WelfordUpdateParam{rn, 16, n, 1});
    });
  };
  EXPECT_THAT(update(2, 16), ::testing::HasSubstr("EK1802 WelfordUpdate: rnLength must be 1"));
  EXPECT_THAT(update(1, 17), ::testing::HasSubstr("abComputeLength must be from 1 to abLength"));
  EXPECT_THAT(fault([] {
                const auto x = at<float>(kSrc0);
                AscendC::WelfordFinalizePara p{1, 16, 1, 8, 1, 9, 1, 1, 0};
                AscendC::WelfordFinalize(at<float>(kDst), at<float>(kDst + 32), x, x, p);
              }),
              ::testing::HasSubstr("headCountLength + tailCountLength must be abLength"));
}

}  // namespace
}  // namespace conformance
