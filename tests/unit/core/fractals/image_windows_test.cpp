// Windows of images against the formulas of the vendor's page "LoadData_3D", as bytes and, of
// halves, as floats.
#include "opkit/core/fractals/image_windows.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>
#include <vector>

#include "opkit/abi/num/half.h"

namespace opkit::core {
namespace {

constexpr uint32_t kRows = 16, kC0 = 16, kMost = 32;  // rows and halves of a fractal; fractals
constexpr uint32_t kPlanes = 2;

struct Shape {
  int32_t width, height;
  uint32_t filter, stride, dilation;
  int32_t pad;
};

class WindowTest : public ::testing::TestWithParam<Shape> {
 protected:
  WindowTest() {
    const Shape& s = GetParam();
    image_.resize(kPlanes * pixels() * kC0);
    std::mt19937 random(5);
    for (uint16_t& half : image_) half = static_cast<uint16_t>(random() & 0xbbff);  // no NaN
    const auto out = [&s](int32_t size) {
      return (static_cast<uint32_t>(size + 2 * s.pad) - (s.dilation * (s.filter - 1) + 1)) /
                 s.stride +
             1;
    };
    w_.l1 = w_.image = reinterpret_cast<const uint8_t*>(image_.data());
    w_.width = s.width;
    w_.height = s.height;
    w_.filter_w = w_.filter_h = s.filter;
    w_.stride_w = w_.stride_h = s.stride;
    w_.dilation_w = w_.dilation_h = s.dilation;
    w_.pad_left = w_.pad_top = s.pad;
    w_.wo = out(s.width);
    w_.pixels = w_.wo * out(s.height);
    w_.rows = w_.window_m = (w_.pixels + kRows - 1) / kRows * kRows;
    w_.units = w_.window_units = kPlanes * s.filter * s.filter;
    std::memset(w_.padding, 0x3c, sizeof w_.padding);
  }
  size_t pixels() const {
    return static_cast<size_t>(GetParam().width) * static_cast<size_t>(GetParam().height);
  }
  // Element c of a unit of a row.
  uint16_t expected(uint32_t row, uint32_t unit, uint32_t c) const {
    const Shape& s = GetParam();
    if (row >= w_.pixels) return 0;
    const uint32_t taps = s.filter * s.filter, tap = unit % taps;
    const auto at = [&s](uint32_t out, uint32_t in_filter) {
      return static_cast<int32_t>(out * s.stride + in_filter * s.dilation) - s.pad;
    };
    const int32_t y = at(row / w_.wo, tap / s.filter), x = at(row % w_.wo, tap % s.filter);
    if (y < 0 || x < 0 || y >= s.height || x >= s.width) return 0x3c3c;
    return image_[(unit / taps * pixels() + static_cast<size_t>(y * s.width + x)) * kC0 + c];
  }

  std::vector<uint16_t> image_;
  ImageWindows w_;
};

TEST_P(WindowTest, GathersUnits) {
  for (uint32_t block = 0; block < w_.blocks(); ++block) {
    for (const uint32_t first : {0u, 1u}) {
      const uint32_t count = w_.units - first;
      std::vector<uint16_t> out(count * kRows * kC0);
      gather_units(w_, block, first, count, reinterpret_cast<uint8_t*>(out.data()));
      for (uint32_t i = 0; i < out.size(); ++i) {
        const uint32_t row = block * kRows + i / kC0 % kRows, unit = first + i / kC0 / kRows;
        ASSERT_EQ(out[i], expected(row, unit, i % kC0)) << row << ", unit " << unit;
      }
    }
  }
}

TEST_P(WindowTest, GathersHalvesAsFloats) {
  constexpr uint32_t kPitch = 272, kEight = 8;
  std::vector<float> out(kMost * kPitch);
  for (uint32_t block = 0; block < w_.blocks(); ++block) {
    ASSERT_EQ(gather_halves(w_, block, 0, w_.units, out.data(), kPitch), 0u);
    for (uint32_t i = 0; i < w_.units * kRows * kC0; ++i) {
      const uint32_t c = i % kC0, r = i / kC0 % kRows, unit = i / kC0 / kRows;
      const float wanted = std::bit_cast<Half>(expected(block * kRows + r, unit, c));
      const float got = out[unit * kPitch + c / kEight * 128 + r * kEight + c % kEight];
      ASSERT_EQ(std::bit_cast<uint32_t>(got), std::bit_cast<uint32_t>(wanted)) << i;
    }
  }
}

// Those of one pixel are in the units of a filter that see it.
TEST_P(WindowTest, TellsWhichUnitsHoldNan) {
  image_[3] = 0x7e01;
  std::vector<float> out(kMost * 272);
  for (uint32_t block = 0; block < w_.blocks(); ++block) {
    uint32_t wanted = 0;
    for (uint32_t unit = 0; unit < w_.units; ++unit) {
      for (uint32_t r = 0; r < kRows; ++r)
        wanted |= uint32_t{expected(block * kRows + r, unit, 3) == 0x7e01} << unit;
    }
    EXPECT_EQ(gather_halves(w_, block, 0, w_.units, out.data(), 272), wanted);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, WindowTest,
                         ::testing::Values(Shape{20, 5, 1, 1, 1, 0}, Shape{40, 3, 3, 1, 1, 1},
                                           Shape{7, 7, 3, 1, 1, 1}, Shape{9, 11, 3, 2, 1, 1},
                                           Shape{23, 9, 2, 3, 2, 0}, Shape{12, 12, 3, 1, 4, 4}));

}  // namespace
}  // namespace opkit::core
