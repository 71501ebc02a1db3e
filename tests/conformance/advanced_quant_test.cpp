// AscendDequant against a twin in double: 1 unit for float (the int32 is rounded to float, too) and
// 0.6 units for half.
#include <gmock/gmock.h>

#include "tests/conformance/advanced.h"

namespace conformance {
namespace {

using AscendC::DequantParams;

template <typename T>
void check_dequant(const DequantParams& p, uint32_t rows, uint32_t pitch, bool shared,
                   bool vector) {
  Image before(22);
  const std::vector<float> scale = spread<float>(256, 1, 0.01f, 0.3f);
  std::vector<int32_t> x(2048);
  std::mt19937 random(5);
  for (int32_t& v : x) v = static_cast<int32_t>(random() % 100000) - 50000;
  before.fill(kSrc0, x);
  before.fill(kSrc1, scale);
  const Image after = run(before, piped([&] {
                            const auto d = at<T>(kDst);
                            const auto s = at<int32_t>(kSrc0);
                            const auto k = at<float>(kSrc1);
                            const auto t = temporary(512);
                            if (vector && shared)
                              return AscendC::AscendDequant<T, float>(d, s, k, t, p);
                            if (vector) return AscendC::AscendDequant(d, s, k, p);
                            if (shared) return AscendC::AscendDequant<T, float>(d, s, 0.05f, t, p);
                            AscendC::AscendDequant(d, s, 0.05f, p);
                          }))
                          .image;
  const uint32_t source_pitch = p.m == 1 && p.n % p.calCount == 0 ? p.calCount : p.n;
  for (uint32_t i = 0; i < rows; ++i) {
    for (uint32_t j = 0; j < p.calCount; ++j) {
      const double y = x[i * source_pitch + j] * double{vector ? scale[j] : 0.05f};
      ASSERT_LE(distance(after.get<T>((i * pitch + j) * sizeof(T)), y, 0), sizeof(T) == 4 ? 1 : 0.6)
          << i << "," << j;
    }
  }
}
TEST(AdvancedQuant, Dequant) {
  for (bool shared : {true, false}) {
    for (bool vector : {true, false}) {
      check_dequant<float>({3, 72, 65}, 3, 72, shared, vector);
      check_dequant<Half>({3, 72, 65}, 3, 80, shared, vector);
      check_dequant<float>({1, 96, 24}, 4, 24, shared, vector);
      check_dequant<Half>({1, 96, 24}, 4, 32, shared, vector);
    }
  }
}
TEST(AdvancedQuant, Refusals) {
  const auto faults = faults_of(piped([] {
    AscendC::AscendDequant(at<float>(kDst), at<int32_t>(kSrc0), 0.5f, DequantParams{2, 8, 9});
  }));
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults[0].code, "EK1802");
  EXPECT_THAT(faults[0].message, ::testing::HasSubstr("calCount must be from 1 to n, but it is 9"));
}

}  // namespace
}  // namespace conformance
