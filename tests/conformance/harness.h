// Runs kernel code on an image of UB and gives the image back, so that a test sees every byte that
// an instruction changed or left alone.
#ifndef TESTS_CONFORMANCE_HARNESS_H_
#define TESTS_CONFORMANCE_HARNESS_H_

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "opkit/abi/num/bfloat16.h"
#include "opkit/abi/num/half.h"
#include "opkit/core/machine.h"

namespace conformance {

using opkit::BFloat16;
using opkit::Half;

// Where the operands of a test lie, in bytes.
constexpr uint32_t kDst = 0, kSrc0 = 8192, kSrc1 = 16384, kSrc2 = 24576, kImage = 32768;

class Image {
 public:
  explicit Image(uint32_t seed = 1);  // random bytes

  template <typename T>
  T get(uint64_t byte) const {
    T value;
    std::memcpy(&value, &bytes_.at(byte + sizeof(T) - 1) - (sizeof(T) - 1), sizeof value);
    return value;
  }
  template <typename T>
  void set(uint64_t byte, T value) {
    std::memcpy(&bytes_.at(byte + sizeof(T) - 1) - (sizeof(T) - 1), &value, sizeof value);
  }
  template <typename T>
  void fill(uint32_t start, const std::vector<T>& values) {
    for (size_t i = 0; i < values.size(); ++i) set(start + i * sizeof(T), values[i]);
  }
  uint8_t* data() { return bytes_.data(); }
  const uint8_t* data() const { return bytes_.data(); }

 private:
  std::vector<uint8_t> bytes_;
};

struct Options {
  bool keep_inf_nan = true;  // control bit 48
};

struct Outcome {
  Image image;
  uint64_t result = 0;  // what the body left in `kernel_result`
  opkit::core::Faults faults;
};

// For scalar results of a body.
inline thread_local uint64_t kernel_result = 0;

// The body runs as a kernel on one thread and one block, and on two threads and two blocks; all
// must agree.
Outcome run(const Image& before, const std::function<void()>& body, const Options& options = {});
// Runs once; the body is expected to be refused.
opkit::core::Faults faults_of(const std::function<void()>& body);

// Bytes agree, except that every NaN of the destination (first kSrc0 bytes, as T) equals every NaN.
template <typename T>
bool is_nan(T value) {
  if constexpr (std::is_integral_v<T>) {
    return false;
  } else {
    const float f = static_cast<float>(value);
    return f != f;
  }
}

template <typename T>
::testing::AssertionResult same(const Image& actual, const Image& expected) {
  for (uint32_t at = 0; at < kImage; at += sizeof(T)) {
    if (std::memcmp(actual.data() + at, expected.data() + at, sizeof(T)) == 0) continue;
    const T a = actual.get<T>(at), e = expected.get<T>(at);
    if (at < kSrc0 && is_nan(a) && is_nan(e)) continue;
    return ::testing::AssertionFailure()
           << "element " << at / sizeof(T) << " (byte " << at << ") is " << static_cast<double>(a)
           << ", expected " << static_cast<double>(e);
  }
  return ::testing::AssertionSuccess();
}

// Values of T: ordinary ones, and what breaks arithmetic.
template <typename T>
std::vector<T> values(size_t n, uint32_t seed, bool specials = true) {
  std::mt19937 random(seed);
  std::vector<T> v(n);
  for (T& x : v) {
    if constexpr (std::is_integral_v<T>) {
      const uint32_t bits = random();
      x = static_cast<T>(specials && bits % 3 == 0 ? bits >> 5 : bits % 200 - 100);
    } else {
      const float f = std::uniform_real_distribution<float>(-8, 8)(random);
      x = static_cast<T>(f);
      if (!specials) continue;
      static constexpr float kSpecial[] = {
          0.0f,     -0.0f,     1.0f, -1.0f,    1e-40f,    -3e-39f,     3.4e38f, -3.4e38f,
          INFINITY, -INFINITY, NAN,  65504.0f, -65504.0f, 65520.0f,    6e-8f,   -2e-7f,
          2.5f,     -3.5f,     0.5f, 1e-5f,    2048.5f,   -0.49999997f};
      if (random() % 4 == 0) x = static_cast<T>(kSpecial[random() % std::size(kSpecial)]);
    }
  }
  return v;
}

}  // namespace conformance

#endif  // TESTS_CONFORMANCE_HARNESS_H_
