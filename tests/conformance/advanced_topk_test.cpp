// TopK against std::stable_sort: values and indices are exact, and of equal values the first comes
// first.
#include <gmock/gmock.h>

#include <numeric>

#include "opkit/include/ascendc/advanced_topk.h"
#include "tests/conformance/advanced.h"
#include "tiling/tiling_api.h"

namespace conformance {
namespace {

using AscendC::TopKMode;
constexpr uint32_t kIndices = kDst + 4096, kFinished = kSrc2;

struct Case {
  int32_t rows, inner, n, k;
};
opk_soc_v1 nothing{};

template <typename T, bool kInit, bool kFinish, TopKMode mode>
void check_topk(const Case& c, bool largest, bool shared) {
  constexpr bool kSmall = mode == TopKMode::TOPK_NSMALL;
  const auto rows = static_cast<uint32_t>(c.rows), inner = static_cast<uint32_t>(c.inner),
             n = static_cast<uint32_t>(c.n), k = static_cast<uint32_t>(c.k);
  std::vector<T> x(rows * inner);
  std::mt19937 random(inner + n);
  for (uint32_t i = 0; i < x.size(); ++i) {
    const auto v = static_cast<float>(random() % 97) - 48.0f;  // many equal ones
    x[i] = static_cast<T>(i % inner < n ? v : largest ? -1000.0f : 1000.0f);
  }
  std::vector<int32_t> index(kSmall ? rows * inner : inner);
  for (size_t i = 0; i < index.size(); ++i) index[i] = static_cast<int32_t>(3 * (i % inner) + 1);
  std::vector<uint8_t> finished(rows);
  for (uint32_t i = 0; i < rows; ++i) finished[i] = i % 2;
  Image before(81);
  before.fill(kSrc0, x);
  before.fill(kSrc1, index);
  before.fill(kFinished, finished);
  const platform_ascendc::PlatformAscendC platform(&nothing);
  uint32_t max = 0, min = 0;
  ASSERT_TRUE(AscendC::GetTopKMaxMinTmpSize(platform, c.inner, c.rows, false, kInit, mode, largest,
                                            sizeof(T), max, min));
  TopkTiling tiling;
  ASSERT_TRUE(AscendC::TopKTilingFunc(platform, c.inner, c.rows, c.k, sizeof(T), kInit, mode,
                                      largest, tiling));
  AscendC::TopKInfo info;
  info.outter = c.rows;
  info.inner = c.inner;
  info.n = c.n;
  const Image after = run(before, piped([&] {
                            const auto d = at<T>(kDst), s = at<T>(kSrc0);
                            const auto to = at<int32_t>(kIndices), from = at<int32_t>(kSrc1);
                            const auto f = at<bool>(kFinished);
                            if (shared)
                              return AscendC::TopK<T, kInit, kFinish, false, mode>(
                                  d, to, s, from, f, temporary(min), c.k, tiling, info, largest);
                            AscendC::TopK<T, kInit, kFinish, false, mode>(d, to, s, from, f, c.k,
                                                                          tiling, info, largest);
                          }))
                          .image;
  const uint32_t block = 32 / sizeof(T);
  const uint32_t value_pitch = kSmall ? k : (k + block - 1) / block * block,
                 index_pitch = kSmall ? k : (k + 7) / 8 * 8;
  for (uint32_t i = 0; i < rows; ++i) {
    std::vector<uint32_t> order(inner);
    std::iota(order.begin(), order.end(), 0u);
    const auto value = [&](uint32_t j) { return static_cast<float>(x[i * inner + j]); };
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return largest ? value(a) > value(b) : value(a) < value(b);
    });
    for (uint32_t j = 0; j < k; ++j) {
      ASSERT_EQ(static_cast<float>(after.get<T>((i * value_pitch + j) * sizeof(T))),
                value(order[j]))
          << c.rows << "x" << c.inner << " row " << i << " place " << j;
      const auto at_index = static_cast<int32_t>(kInit ? 3 * order[j] + 1 : order[j]);
      ASSERT_EQ(after.get<int32_t>(kIndices + (i * index_pitch + j) * 4),
                kFinish && finished[i] ? c.n : at_index)
          << c.rows << "x" << c.inner << " row " << i << " place " << j;
    }
  }
}
template <typename T>
void check_rows() {
  constexpr TopKMode kMode = TopKMode::TOPK_NORMAL;
  for (bool largest : {true, false}) {
    for (bool shared : {true, false}) {
      for (const Case& c : {Case{1, 32, 1, 1}, Case{3, 32, 31, 8}, Case{2, 64, 64, 64},
                            Case{4, 128, 100, 7}, Case{1, 1024, 1000, 33}, Case{2, 160, 129, 16}}) {
        check_topk<T, false, false, kMode>(c, largest, shared);
        check_topk<T, true, true, kMode>(c, largest, shared);
      }
    }
  }
}
TEST(AdvancedTopK, Normal) {
  check_rows<float>();
  check_rows<Half>();
}
template <typename T>
void check_small() {
  constexpr TopKMode kMode = TopKMode::TOPK_NSMALL;
  for (bool largest : {true, false}) {
    for (bool shared : {true, false}) {
      for (const Case& c : {Case{1, 32, 32, 1}, Case{4, 32, 31, 5}, Case{33, 32, 32, 8},
                            Case{10, 32, 20, 16}, Case{3, 32, 32, 32}, Case{40, 32, 32, 17}}) {
        check_topk<T, false, false, kMode>(c, largest, shared);
        check_topk<T, true, true, kMode>(c, largest, shared);
      }
    }
  }
}
TEST(AdvancedTopK, Small) {
  check_small<float>();
  check_small<Half>();
}
TEST(AdvancedTopK, Refusals) {
  const auto fault = [](int32_t inner, int32_t n, int32_t k) {
    const auto faults = faults_of(piped([=] {
      AscendC::TopKInfo info;
      info.inner = inner;
      info.n = n;
      AscendC::TopK<float>(at<float>(kDst), at<int32_t>(kIndices), at<float>(kSrc0),
                           at<int32_t>(kSrc1), at<bool>(kFinished), k, TopkTiling{}, info);
    }));
    return faults.empty() ? std::string("none") : faults[0].code + " " + faults[0].message;
  };
  EXPECT_THAT(fault(33, 33, 1),
              ::testing::HasSubstr("EK1802 TopK: inner must be a multiple of 32"));
  EXPECT_THAT(fault(32, 33, 1), ::testing::HasSubstr("n must be from 1 to inner, but it is 33"));
  EXPECT_THAT(fault(32, 16, 17), ::testing::HasSubstr("k must be from 1 to n, but it is 17"));
}
// TopK writes the indices, whether a kernel reads them or not.
TEST(AdvancedTopK, TensorsThatWereNeverAssignedAreNamed) {
  const auto faults = faults_of(piped([] {
    const AscendC::LocalTensor<int32_t> none;
    const AscendC::LocalTensor<bool> open;
    AscendC::TopKInfo info{1, 32, 32};
    AscendC::TopK<float>(at<float>(kDst), none, at<float>(kSrc0), none, open, 8, TopkTiling{},
                         info);
  }));
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults[0].code, "EK1002");
  EXPECT_THAT(faults[0].message, ::testing::HasSubstr("never assigned"));
}

}  // namespace
}  // namespace conformance
