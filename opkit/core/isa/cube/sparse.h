// 4:2 sparse products: B holds two of every four values along K, an index of two bits per value
// tells which values of A they meet.
#ifndef OPKIT_CORE_ISA_CUBE_SPARSE_H_
#define OPKIT_CORE_ISA_CUBE_SPARSE_H_

#include "opkit/core/isa/cube/mmad_form.h"
#include "opkit/core/state/core.h"

namespace opkit::core {

// LoadDataWithSparse, its second half: fractals of the index into the buffer beside L0B.
void load_sparse_index(Core& core, const opk_load_v1& l, const void* pc);

// REQUIRES: x was checked and is sparse. False: an index that does not exist was refused.
bool compute_sparse(Core& core, const opk_mmad_v1& x, const void* pc);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_SPARSE_H_
