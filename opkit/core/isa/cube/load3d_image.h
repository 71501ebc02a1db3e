// What the parameters of LoadData 3D say of the image, of its windows and of what they read.
#ifndef OPKIT_CORE_ISA_CUBE_LOAD3D_IMAGE_H_
#define OPKIT_CORE_ISA_CUBE_LOAD3D_IMAGE_H_

#include <cstdint>

#include "opkit/abi/core.h"
#include "opkit/core/fractals/fractal.h"
#include "opkit/core/fractals/image_windows.h"

namespace opkit::core {

inline uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

struct Image {
  uint32_t size, c0;      // bytes per element (4 bits: of two), elements per unit
  uint32_t wo, ho;        // output pixels
  uint32_t k_units;       // units in a row of the virtual matrix
  uint32_t unit0, units;  // name the units of all windows together
  uint32_t rows;          // counts those of all windows together
  bool turned;            // rows of the result are columns of the window
  // Row i and unit j of the windows are those of the virtual matrix i + i / window_m * skip_m and
  // j + j / window_units * skip_units behind the start.
  uint32_t window_m, skip_m, window_units, skip_units;
};

inline uint32_t row_of_image(const opk_load_v1& l, const Image& g, uint32_t i) {
  return l.m_start + i + i / g.window_m * g.skip_m;
}
inline uint32_t unit_of_image(const Image& g, uint32_t j) {
  return g.unit0 + j + j / g.window_units * g.skip_units;
}
// wo or ho is 0: the filter does not fit.
Image image_of(const opk_load_v1& l);

// Returns the bytes of the result, rows and columns in whole fractals.
inline uint64_t result_bytes(const Image& g) {
  const uint32_t m = g.rows, k = g.units * g.c0;
  const uint32_t fractals =
      g.turned ? ceil_div(k, kSide) * ceil_div(m, g.c0) : ceil_div(m, kSide) * g.units;
  return uint64_t{fractals} * kFractal;
}

// Planes of the image that the window touches, and the pixels from the first to the last one that
// it reads in a plane; first > last: only padding.
struct Touched {
  uint32_t plane0, planes;
  uint64_t first, last;
  uint64_t end = 0;  // bytes from the image's start to behind the last one that is read

  bool nothing() const { return first > last; }
};
Touched touched(const opk_load_v1& l, const Image& g);

// l1: where L1 begins.
ImageWindows window_of(const opk_load_v1& l, const Image& g, const uint8_t* l1);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_LOAD3D_IMAGE_H_
