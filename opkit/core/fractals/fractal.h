// The measures of a fractal: 16 rows of 32 bytes.
#ifndef OPKIT_CORE_FRACTALS_FRACTAL_H_
#define OPKIT_CORE_FRACTALS_FRACTAL_H_

#include <cstdint>

namespace opkit::core {

constexpr uint32_t kSide = 16;      // rows; of products also columns
constexpr uint32_t kFractal = 512;  // bytes

}  // namespace opkit::core

#endif  // OPKIT_CORE_FRACTALS_FRACTAL_H_
