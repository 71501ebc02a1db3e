// Fractals on their way into L0, many at a time, in the forms in which the host multiplies them
// (l0_mirror.h). A fractal is 16 rows of 32 bytes, which need not follow each other.
#ifndef OPKIT_CORE_FRACTALS_FRACTAL_BATCH_H_
#define OPKIT_CORE_FRACTALS_FRACTAL_BATCH_H_

#include <cstddef>
#include <cstdint>

namespace opkit::core {

enum class Turning : uint8_t {
  kWords,         // 16 rows of 8 words: 8 rows of 16 words
  kJoin,          // 8 rows of 8 words and 8 to their right: 8 rows of 16 words
  kPairs,         // 16 rows of 16 halves: of two rows each, 8 rows of 16 words
  kHalves,        // 16 rows of 16 halves: the same as floats
  kHalvesTurned,  // 16 rows of 16 halves: 16 rows, the columns, as floats
  kHalvesSplit    // 16 rows of 16 halves: the first eight of each as floats, then the others
};

// Holds fractals to be turned at once, equally far apart in the source and in the result.
struct FractalBatch {
  static constexpr uint32_t kMost = 32;
  Turning turning = Turning::kWords;
  uint32_t count = 0;             // is at most kMost
  const uint8_t* rows = nullptr;  // points to the rows of the first fractal
  size_t row_pitch = 32;          // bytes
  int64_t pitch = 0;              // bytes from fractal to fractal
  int64_t right = 0;              // kJoin: bytes from a row to the one on its right
  float* out = nullptr;
  size_t out_pitch = 0;  // floats from fractal to fractal
  bool looks_for_nan = true;

  const uint8_t* row(uint32_t fractal, uint32_t r) const {
    return rows + fractal * pitch + r * row_pitch;
  }
  float* to(uint32_t fractal) const { return out + fractal * out_pitch; }
};

// Bit i: fractal i holds NaN, whose bits cannot be had back from its floats. Only halves have any,
// and only where the batch asks for them.
uint32_t turn_fractals(const FractalBatch& batch);

}  // namespace opkit::core

#endif  // OPKIT_CORE_FRACTALS_FRACTAL_BATCH_H_
