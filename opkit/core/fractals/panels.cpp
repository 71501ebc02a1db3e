#include "opkit/core/fractals/panels.h"

#include <cstring>

#include "opkit/core/fractals/turn.h"

namespace opkit::core {
namespace {

constexpr uint64_t kPiece = 32;  // bytes

// Two rows at a time make whole lines of the host's cache; rows ahead are fetched meanwhile, also
// those behind the last, which the kernel probably reads next.
constexpr uint32_t kRowsAhead = 16;

void prefetch_row(const uint8_t* row, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; i += 64) __builtin_prefetch(row + i);
}

void row_to_panels(uint8_t* nz, const uint8_t* row, uint64_t count, uint64_t pitch) {
  for (uint64_t i = 0; i < count; ++i) std::memcpy(nz + i * pitch, row + i * kPiece, kPiece);
}

// Whole pieces of all rows, then what is left of each row, filled up with zeros.
void change_matrix(const PanelChange& c, const uint8_t* nd, uint8_t* nz) {
  const uint64_t whole = c.row_bytes / kPiece, rest = c.row_bytes % kPiece;
  const bool adjacent = c.nz_row_pitch == kPiece;
  for (uint32_t n = 0; n < c.rows;) {
    const uint32_t step = adjacent && n + 2 <= c.rows ? 2 : 1;
    for (uint32_t i = 0; i < step; ++i)
      prefetch_row(nd + (n + kRowsAhead + i) * c.nd_row_pitch, c.row_bytes);
    const uint8_t* row = nd + n * c.nd_row_pitch;
    uint8_t* out = nz + n * c.nz_row_pitch;
    if (step == 2)
      rows_to_panels(row, c.nd_row_pitch, whole, out, c.nz_panel_pitch);
    else
      row_to_panels(out, row, whole, c.nz_panel_pitch);
    n += step;
  }
  if (rest == 0) return;
  for (uint32_t n = 0; n < c.rows; ++n) {
    uint8_t* out = nz + whole * c.nz_panel_pitch + n * c.nz_row_pitch;
    std::memcpy(out, nd + n * c.nd_row_pitch + whole * kPiece, rest);
    std::memset(out + rest, 0, kPiece - rest);
  }
}

}  // namespace

void change_to_panels(const PanelChange& c) {
  for (uint32_t m = 0; m < c.matrices; ++m)
    change_matrix(c, c.nd + m * c.nd_matrix_pitch, c.nz + m * c.nz_matrix_pitch);
}

}  // namespace opkit::core
