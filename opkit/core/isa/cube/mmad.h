// What Mmad touches and how it computes; its checks are in mmad.cpp.
#ifndef OPKIT_CORE_ISA_CUBE_MMAD_H_
#define OPKIT_CORE_ISA_CUBE_MMAD_H_

#include "opkit/core/state/core.h"

namespace opkit::core {

// The operands in whole fractals.
struct MmadExtent {
  uint32_t c0;          // elements per row of a fractal of A and B
  uint32_t m16, n16;    // fractals
  uint32_t k_fractals;  // in A's rows
  uint32_t k_steps;     // rows of fractals in B, at most k_fractals
  uint64_t a, b, c;     // bytes
};
MmadExtent extent_of(const opk_mmad_v1& x);

// B is 4:2 sparse: it holds half of the values along K.
inline bool is_sparse(const opk_mmad_v1& x) {
  return x.k_layout == OPK_K_SPARSE && x.a.dtype == OPK_INT8;
}

// Warns when the elements behind k, to the end of the last fractals of A and B, would change the
// product. REQUIRES: x was checked, and the operands hold data.
void judge_behind_k(Core& core, const opk_mmad_v1& x, const void* pc);

// REQUIRES: x was checked.
void compute_mmad(Core& core, const opk_mmad_v1& x);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_MMAD_H_
