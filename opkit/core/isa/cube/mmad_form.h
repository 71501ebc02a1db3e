// MmadExtent: what an Mmad touches.
#ifndef OPKIT_CORE_ISA_CUBE_MMAD_FORM_H_
#define OPKIT_CORE_ISA_CUBE_MMAD_FORM_H_

#include <cstdint>

#include "opkit/abi/core.h"

namespace opkit::core {

// Says how large the operands are in whole fractals.
struct MmadExtent {
  uint32_t c0;          // elements per row of a fractal of A and B
  uint32_t m16, n16;    // fractals
  uint32_t k_fractals;  // counts the fractals in A's rows
  uint32_t k_steps;     // rows of fractals in B, at most k_fractals
  uint64_t a, b, c;     // bytes
};
MmadExtent extent_of(const opk_mmad_v1& x);

// Tells whether B is 4:2 sparse: it holds half of the values along K.
inline bool is_sparse(const opk_mmad_v1& x) {
  return x.k_layout == OPK_K_SPARSE && x.a.dtype == OPK_INT8;
}

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_MMAD_FORM_H_
