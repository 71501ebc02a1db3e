// What the tests of the advanced calls share: a pipe that leaves the image to the test and the rest
// of UB to temporaries, and the distance of a result from a twin computed in double.
#ifndef TESTS_CONFORMANCE_ADVANCED_H_
#define TESTS_CONFORMANCE_ADVANCED_H_

#include <algorithm>

#include "tests/conformance/elementwise.h"

namespace conformance {

// The pipe gives out the image, so the rest of UB starts behind it.
template <typename F>
std::function<void()> piped(F body) {
  return [body] {
    AscendC::TPipe pipe;
    AscendC::TBuf<> image;
    pipe.InitBuffer(image, kImage);
    body();
  };
}
// A temporary buffer behind the image.
inline LocalTensor<uint8_t> temporary(uint32_t bytes) { return at<uint8_t>(kImage, bytes); }

// Units in the last place of T between a result and a twin; the unit of a value below `floor` is
// that of `floor`.
template <typename T>
double distance(T actual, double exact, double floor) {
  const double a = static_cast<float>(actual);
  if (std::isnan(exact) || std::isnan(a)) return std::isnan(exact) && std::isnan(a) ? 0 : INFINITY;
  const double largest = sizeof(T) == 4 ? 0x1.fffffep127 : 65504.0;
  if (std::fabs(exact) > largest || std::isinf(a)) {
    const bool near =
        std::fabs(exact) >= largest * (1 - 1e-3) && std::fabs(a) >= largest * (1 - 1e-3);
    return near && std::signbit(a) == std::signbit(exact) ? 0 : INFINITY;
  }
  const double size = std::max({std::fabs(exact), floor, sizeof(T) == 4 ? 0x1p-126 : 0x1p-14});
  return std::fabs(a - exact) / std::ldexp(1.0, std::ilogb(size) - (sizeof(T) == 4 ? 23 : 10));
}

constexpr uint32_t kLengths[] = {1, 8, 63, 64, 65, 1000};

template <typename T>
std::vector<T> spread(size_t n, uint32_t seed, float low, float high) {
  std::mt19937 random(seed);
  std::vector<T> v(n);
  for (T& x : v) x = static_cast<T>(std::uniform_real_distribution<float>(low, high)(random));
  return v;
}

// Every byte of the image but [kDst, kDst + bytes) is as before.
inline bool untouched(const Image& before, const Image& after, uint64_t bytes) {
  return std::memcmp(before.data() + bytes, after.data() + bytes, kImage - bytes) == 0;
}

}  // namespace conformance

#endif  // TESTS_CONFORMANCE_ADVANCED_H_
