// ImageWindows: what LoadData 3D makes of an image NC1HWC0 in L1. Row m of the virtual matrix is an
// output pixel; column k runs over C1, filter rows, filter columns and C0. A unit is 32 bytes of a
// row: one pixel of one plane, or padding beside the image. Rows behind the last output pixel are
// zero.
#ifndef OPKIT_CORE_FRACTALS_IMAGE_WINDOWS_H_
#define OPKIT_CORE_FRACTALS_IMAGE_WINDOWS_H_

#include <cstddef>
#include <cstdint>

namespace opkit::core {

constexpr uint32_t kUnitBytes = 32;

struct ImageWindows {
  const uint8_t* l1 = nullptr;
  const uint8_t* image = nullptr;  // its first pixel, in L1
  uint32_t boundary = 0;           // not 0: behind that byte of L1 the image goes on at l1
  int32_t width = 0, height = 0;   // give the image's size in pixels
  uint32_t stride_w = 1, stride_h = 1, dilation_w = 1, dilation_h = 1;
  uint32_t filter_w = 1, filter_h = 1;
  int32_t pad_left = 0, pad_top = 0;
  uint32_t wo = 0, pixels = 0;     // output pixels of a row, of all
  uint32_t m_start = 0, rows = 0;  // rows: of all windows together
  uint32_t unit0 = 0, units = 0;   // units: of all windows together
  // Row i and unit j of the windows are those of the virtual matrix i + i / window_m * skip_m and
  // j + j / window_units * skip_units behind the start.
  uint32_t window_m = 1, skip_m = 0, window_units = 1, skip_units = 0;
  uint8_t padding[kUnitBytes] = {};

  uint32_t row_of_matrix(uint32_t i) const { return m_start + i + i / window_m * skip_m; }
  uint32_t unit_of_matrix(uint32_t j) const { return unit0 + j + j / window_units * skip_units; }
  uint32_t blocks() const { return (rows + 15) / 16; }  // counts blocks of 16 rows
};

// Writes `count` fractals of a block of 16 rows, from unit `first` on, one after the other.
void gather_units(const ImageWindows& w, uint32_t block, uint32_t first, uint32_t count,
                  uint8_t* out);

// Writes such fractals of halves as floats, out_pitch floats apart: the first eight of each of 16
// rows, then the others. Bit i of the answer: fractal first + i holds NaN. REQUIRES: count <= 32.
uint32_t gather_halves(const ImageWindows& w, uint32_t block, uint32_t first, uint32_t count,
                       float* out, size_t out_pitch);

}  // namespace opkit::core

#endif  // OPKIT_CORE_FRACTALS_IMAGE_WINDOWS_H_
