#include "opkit/core/put_off/l1_floats.h"

#include <gtest/gtest.h>

#include <cstring>

#include "opkit/abi/num/half.h"

namespace opkit::core {
namespace {

constexpr uint32_t kFractals = 8;

struct L1FloatsTest : ::testing::Test {
  L1FloatsTest() : l1(kFractals * 512) {
    for (size_t i = 0; i < l1.size() / 2; ++i) set(i, static_cast<float>(i % 97));
    floats.attach(l1.data(), static_cast<uint32_t>(l1.size()));
  }
  void set(size_t element, float value) {
    const Half h(value);
    std::memcpy(&l1[element * 2], &h, 2);
  }
  // Element c of row r of the fractal that begins with element `first` of L1.
  float expected(size_t first, uint32_t r, uint32_t c) const {
    Half h;
    std::memcpy(&h, &l1[(first + r * 16 + c) * 2], 2);
    return h;
  }
  void expect_fractal(const float* at, size_t first) const {
    for (uint32_t r = 0; r < 16; ++r) {
      for (uint32_t c = 0; c < 16; ++c)
        ASSERT_EQ(at[c / 8 * 128 + r * 8 + c % 8], expected(first, r, c)) << r << ' ' << c;
    }
  }

  std::vector<uint8_t> l1;
  L1Floats floats;
};

TEST_F(L1FloatsTest, HoldsFractalsAtTheirPitches) {
  const float* at = floats.take({l1.data() + 512, 1024, 512}, 2, 3);
  ASSERT_NE(at, nullptr);
  for (uint32_t b = 0; b < 2; ++b) {
    for (uint32_t s = 0; s < 3; ++s)
      expect_fractal(at + (b + 2 * s) * L1Floats::kSlotFloats, (1 + b + 2 * s) * 256);
  }
}

TEST_F(L1FloatsTest, RefusesPitchesThatAreNoWholeFractals) {
  EXPECT_EQ(floats.take({l1.data(), 544, 0}, 1, 2), nullptr);
  EXPECT_EQ(floats.take({l1.data(), 0, 32}, 2, 1), nullptr);
}

TEST_F(L1FloatsTest, ForgetsWhatIsOverwritten) {
  const L0Mirror::Sources from{l1.data() + 96, 512, 0};
  expect_fractal(floats.take(from, 1, 2), 48);
  set(48 + 255, 500.0f);
  floats.written(l1.data() + 96 + 510, 2);
  expect_fractal(floats.take(from, 1, 2), 48);
  set(48 + 256, 501.0f);
  floats.written(l1.data() + 96 + 512, 2);
  const float* at = floats.take(from, 1, 2);
  expect_fractal(at + L1Floats::kSlotFloats, 48 + 256);
  set(48 + 16, 502.0f);
  floats.clear();
  expect_fractal(floats.take(from, 1, 2), 48);
}

TEST_F(L1FloatsTest, TellsFractalsOfOneSlotApart) {
  expect_fractal(floats.take({l1.data() + 512, 0, 0}, 1, 1), 256);
  expect_fractal(floats.take({l1.data() + 544, 0, 0}, 1, 1), 272);
}

}  // namespace
}  // namespace opkit::core
