// A 4:2 sparse B of a Matmul object: two of every four values along K are kept, an index says
// which.
#ifndef OPKIT_CORE_ISA_CUBE_SPARSE_MATRIX_H_
#define OPKIT_CORE_ISA_CUBE_SPARSE_MATRIX_H_

#include <cstdint>
#include <vector>

#include "opkit/core/isa/cube/matmul_call.h"
#include "opkit/core/state/core.h"
#include "opkit/core/state/footprint.h"

namespace opkit::core {

// REQUIRES of all: x is sparse.
bool check_index(Core& core, const MatmulCall& x, const void* pc);
Access index_access(const MatmulCall& x);

// B with its zeros. A pair of indices may choose one value of A twice: the second value of such a
// pair stands in `more`, which is empty when there is none.
struct DenseB {
  std::vector<int8_t> values, more;  // n rows of k
  uint32_t k = 0;

  opk_matrix matrix(std::vector<int8_t>& of) const;
};
// False: an index that does not exist was refused.
bool check_indices(Core& core, const MatmulCall& x, const void* pc);
// REQUIRES: check_indices(). A refusal may never return, so that nothing is allocated before it.
DenseB spread(const MatmulCall& x);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_SPARSE_MATRIX_H_
