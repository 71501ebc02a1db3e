// Fractals of 512 bytes and the forms in which the host multiplies them.
//
// Turned words: a fractal is 16 columns (of B) of 8 words of 4 bytes; turned it is 8 rows of 16
// words. A word is one float, two 16-bit or four 8-bit values that follow each other in k.
#ifndef OPKIT_CORE_FRACTALS_TURN_H_
#define OPKIT_CORE_FRACTALS_TURN_H_

#include <cstddef>
#include <cstdint>

namespace opkit::core {

constexpr uint32_t kFractalBytes = 512;
constexpr uint32_t kFractalHalves = 256;
constexpr uint32_t kFractalWords = 128;

void turn_words(const void* fractal, void* rows);
void turn_words_back(const void* rows, void* fractal);
// A matrix of 16 x 16 two-byte elements and its transpose; not in place.
void turn_halves(const void* in, void* out);
// Floats back to halves, where turn_fractals made them from no NaN: in their order, and from the
// first eight of each of 16 rows followed by the others.
void narrow_halves(const float* in, void* fractal);
void narrow_split_halves(const float* in, void* fractal);
void copy_fractal(const void* from, void* to);
// Two rows, row_pitch bytes apart: `pieces` pieces of 32 bytes of each go side by side to places
// panel_pitch bytes apart.
void rows_to_panels(const uint8_t* rows, size_t row_pitch, size_t pieces, uint8_t* panels,
                    size_t panel_pitch);
// `count` pieces of 64 bytes, panel_pitch bytes apart, become one row.
void panels_to_row(const uint8_t* panels, size_t panel_pitch, size_t count, uint8_t* row);
// Writes past the host's caches, when row is a multiple of 64. Other threads may look only after
// end_of_streams().
void stream_row(const uint8_t* panels, size_t panel_pitch, size_t count, uint8_t* row);
void end_of_streams();

// Whether matrix products with flushed subnormal numbers have the same bits as products without:
// what the host's matrix instructions need to know about 16-bit and 32-bit floating-point values.
struct Magnitudes {
  uint32_t least = 255;  // biased exponent of the smallest value that is not zero
  bool special = false;  // there are inf or NaN
  void join(const Magnitudes& other);
};
// Returns the magnitudes of `parts` parts of `bytes` bytes, `pitch` bytes apart.
Magnitudes magnitudes_bf16(const void* values, size_t bytes, size_t parts, size_t pitch);
Magnitudes magnitudes_f32(const void* values, size_t count);

}  // namespace opkit::core

#endif  // OPKIT_CORE_FRACTALS_TURN_H_
