// AscendQuant with counts in AscendQuantConfig: constants take the place of arguments when all that
// the call needs are set. The twin rounds where the page says, bit by bit.
#include <gmock/gmock.h>

#include "opkit/include/ascendc/advanced_quant.h"
#include "tests/conformance/advanced.h"

namespace conformance {
namespace {

using AscendC::AscendQuant;
using AscendC::AscendQuantConfig;

constexpr uint32_t kWorkspace = 1024;
// What a call is compiled with, and what it is given at run time: 2 rows of 32.
constexpr uint32_t kGiven = 64, kGivenChannels = 32;
constexpr AscendQuantConfig kCount{192, 0, 0, kWorkspace};
constexpr AscendQuantConfig kTail{33, 0, 0, kWorkspace};
constexpr AscendQuantConfig kChannels{192, 0, 96, kWorkspace};
constexpr AscendQuantConfig kOffsets{192, 64, 64, kWorkspace};
constexpr AscendQuantConfig kNoWorkspace{192, 0, 0, 0};
constexpr AscendQuantConfig kNoCount{0, 64, 64, kWorkspace};
constexpr AscendQuantConfig kNoChannels{192, 0, 0, kWorkspace};

Half quantised(Half x, Half scale, Half offset) {
  const Half product(static_cast<float>(x) * static_cast<float>(scale));
  return Half(static_cast<float>(product) + static_cast<float>(offset));
}
int8_t saturated(Half h) {
  return static_cast<int8_t>(std::clamp(std::nearbyint(static_cast<float>(h)), -128.0f, 127.0f));
}
template <typename T>
Half half_at(const Image& image, uint32_t byte, uint32_t index) {
  return Half(static_cast<float>(image.get<T>(byte + index * sizeof(T))));
}
template <typename T>
Image image_of(uint32_t seed) {
  Image image(seed);
  image.fill(kSrc0, spread<T>(256, seed, -60, 60));
  image.fill(kSrc1, spread<T>(256, seed + 1, -3, 3));
  image.fill(kSrc2, spread<T>(256, seed + 2, -9, 9));
  return image;
}

enum class Kind { kTensor, kScalarOffset, kOffsets };
// The results are those of `count` elements in rows of `channels`; nothing else is written.
template <typename T>
void expect_quantised(const Image& before, const Image& after, Kind kind, uint32_t channels,
                      uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t j = channels ? i % channels : 0;
    const Half scale = kind == Kind::kTensor ? Half(2.0f) : half_at<T>(before, kSrc1, j);
    const Half offset = kind == Kind::kOffsets  ? half_at<T>(before, kSrc2, j)
                        : kind == Kind::kTensor ? Half(0.9f)
                                                : Half(static_cast<float>(T(0.9f)));
    ASSERT_EQ(after.get<int8_t>(i),
              saturated(quantised(half_at<T>(before, kSrc0, i), scale, offset)))
        << "element " << i << " of " << count;
  }
  ASSERT_TRUE(untouched(before, after, count));
}

// Every form of one kind, with sharedTmpBuffer or the rest of UB, with counts or whole tensors.
template <typename T, const AscendQuantConfig& config>
void check(Kind kind, uint32_t channels, uint32_t count) {
  const Image before = image_of<T>(91);
  for (bool shared : {true, false}) {
    const Image after = run(before, piped([&] {
                              const auto d = at<int8_t>(kDst);
                              const auto s = at<T>(kSrc0), k = at<T>(kSrc1), o = at<T>(kSrc2);
                              const auto t = temporary(2 * kWorkspace);
                              const T b(0.9f);
                              const uint32_t n = kGiven, c = kGivenChannels;
                              if (kind == Kind::kTensor) {
                                if (shared)
                                  return AscendQuant<T, false, config>(d, s, t, 2.0f, 0.9f, n);
                                return AscendQuant<T, false, config>(d, s, 2.0f, 0.9f, n);
                              }
                              if (kind == Kind::kScalarOffset) {
                                if (shared)
                                  return AscendQuant<T, false, config>(d, s, t, k, b, c, n);
                                return AscendQuant<T, false, config>(d, s, k, b, c, n);
                              }
                              if (shared)
                                return AscendQuant<T, false, config>(d, s, t, k, o, c, c, n);
                              AscendQuant<T, false, config>(d, s, k, o, c, c, n);
                            }))
                            .image;
    expect_quantised<T>(before, after, kind, channels, count);
  }
}
template <typename T>
void check_all() {
  check<T, kCount>(Kind::kTensor, 0, 192);
  check<T, kTail>(Kind::kTensor, 0, 33);
  check<T, kChannels>(Kind::kScalarOffset, 96, 192);
  check<T, kOffsets>(Kind::kOffsets, 64, 192);
  // Not everything is set: the arguments count.
  check<T, kNoWorkspace>(Kind::kTensor, 0, kGiven);
  check<T, kNoCount>(Kind::kTensor, 0, kGiven);
  check<T, kNoCount>(Kind::kOffsets, kGivenChannels, kGiven);
  check<T, kNoChannels>(Kind::kScalarOffset, kGivenChannels, kGiven);
}
TEST(AdvancedQuantConfig, ConstantsInsteadOfArguments) {
  check_all<float>();
  check_all<Half>();
}

// Forms without counts: calcCount counts, the channels are those of the scales' tensor.
template <typename T>
void check_whole() {
  const Image before = image_of<T>(92);
  for (Kind kind : {Kind::kTensor, Kind::kScalarOffset, Kind::kOffsets}) {
    const Image after = run(before, piped([&] {
                              const auto d = at<int8_t>(kDst);
                              const auto s = at<T>(kSrc0), k = at<T>(kSrc1, 64 * sizeof(T)),
                                         o = at<T>(kSrc2, 64 * sizeof(T));
                              const auto t = temporary(2 * kWorkspace);
                              const T b(0.9f);
                              if (kind == Kind::kTensor)
                                return AscendQuant<T, false, kCount>(d, s, t, 2.0f, 0.9f);
                              if (kind == Kind::kScalarOffset)
                                return AscendQuant<T, false, kCount>(d, s, t, k, b);
                              AscendQuant<T, false, kCount>(d, s, t, k, o);
                            }))
                            .image;
    expect_quantised<T>(before, after, kind, 64, 192);
  }
}
TEST(AdvancedQuantConfig, WholeTensors) {
  check_whole<float>();
  check_whole<Half>();
}

template <typename F>
std::string fault(F body) {
  const auto faults = faults_of(piped(body));
  return faults.empty() ? std::string("none") : faults[0].code + " " + faults[0].message;
}
TEST(AdvancedQuantConfig, Refusals) {
  const auto d = [] { return at<int8_t>(kDst); };
  const auto s = [](uint32_t bytes) { return at<Half>(kSrc0, bytes); };
  EXPECT_THAT(fault([&] {
                AscendQuant<Half, false, kCount>(d(), s(512), temporary(kWorkspace - 32), 2.0f,
                                                 0.9f);
              }),
              ::testing::HasSubstr("EK1801 AscendQuant: needs 1024 bytes of temporary buffer, but "
                                   "has 992"));
  EXPECT_THAT(fault([&] {
                AscendQuant<Half, false, kCount>(d(), s(256), temporary(kWorkspace), 2.0f, 0.9f);
              }),
              ::testing::HasSubstr("EK1802 AscendQuant: calcCount must not be above the elements "
                                   "of srcTensor, but it is 192"));
  EXPECT_THAT(fault([&] { AscendQuant<Half>(d(), s(512), s(512), s(512), 32, 64, 64); }),
              ::testing::HasSubstr("EK1802 AscendQuant: offsetCount must be scaleCount, but it is "
                                   "64"));
}

}  // namespace
}  // namespace conformance
