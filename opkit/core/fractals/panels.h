// The change from rows to panels of 32-byte columns (ND2NZ): what is read, what is written.
#ifndef OPKIT_CORE_FRACTALS_PANELS_H_
#define OPKIT_CORE_FRACTALS_PANELS_H_

#include <cstdint>

namespace opkit::core {

// Pitches in bytes. Row r of matrix m is cut into pieces of 32 bytes, one for each panel; the last
// is filled up with zeros.
struct PanelChange {
  const uint8_t* nd = nullptr;
  uint64_t nd_row_pitch = 0, nd_matrix_pitch = 0;
  uint8_t* nz = nullptr;
  uint64_t nz_row_pitch = 0, nz_panel_pitch = 0, nz_matrix_pitch = 0;
  uint32_t matrices = 0, rows = 0;
  uint64_t row_bytes = 0;
};

void change_to_panels(const PanelChange& c);

}  // namespace opkit::core

#endif  // OPKIT_CORE_FRACTALS_PANELS_H_
