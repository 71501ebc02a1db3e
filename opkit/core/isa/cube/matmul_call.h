// MatmulCall: a block of a Matmul object as the engine handles it.
#ifndef OPKIT_CORE_ISA_CUBE_MATMUL_CALL_H_
#define OPKIT_CORE_ISA_CUBE_MATMUL_CALL_H_

#include <cstdint>

#include "opkit/abi/sparse_matmul.h"

namespace opkit::core {

// Holds what is told by a struct of opkit/abi, the rest zero.
struct MatmulCall : opk_matmul_v1 {
  opk_matrix index{};  // describes the index of a sparse B
};
// told: an opk_sparse_matmul_v1 when its tail says so.
MatmulCall complete(const opk_matmul_v1& told);

inline bool is_sparse(const MatmulCall& x) { return x.index.data.address != nullptr; }
// Values along K that B holds.
inline uint32_t depth_of_b(const MatmulCall& x) { return is_sparse(x) ? x.k / 2 : x.k; }

inline bool integers(const MatmulCall& x) {
  return x.a.data.dtype == OPK_INT8 || x.a.data.dtype == OPK_INT4;
}
// Matrices that the author's functions move are theirs.
inline bool moves(const MatmulCall& x, uint8_t own_copy) {
  return (x.steps.own_copies & own_copy) != 0;
}
constexpr uint8_t kOwnA = 1, kOwnB = 2, kOwnC = 4;

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_MATMUL_CALL_H_
