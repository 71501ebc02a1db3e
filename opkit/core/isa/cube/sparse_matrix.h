// A 4:2 sparse B of a Matmul object: two of every four values along K are kept, an index says
// which.
#ifndef OPKIT_CORE_ISA_CUBE_SPARSE_MATRIX_H_
#define OPKIT_CORE_ISA_CUBE_SPARSE_MATRIX_H_

#include <cstdint>
#include <vector>

#include "opkit/abi/sparse_matmul.h"
#include "opkit/core/state/core.h"
#include "opkit/core/state/footprint.h"

namespace opkit::core {

// A block as the engine handles it: told by a struct of opkit/abi, the rest zero.
struct MatmulCall : opk_matmul_v1 {
  opk_matrix index{};  // of a sparse B
};
// told: an opk_sparse_matmul_v1 when its tail says so.
MatmulCall complete(const opk_matmul_v1& told);

inline bool is_sparse(const MatmulCall& x) { return x.index.data.address != nullptr; }
// Values along K that B holds.
inline uint32_t depth_of_b(const MatmulCall& x) { return is_sparse(x) ? x.k / 2 : x.k; }

// REQUIRES of the rest: x is sparse.
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
