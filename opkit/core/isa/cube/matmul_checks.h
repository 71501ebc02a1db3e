// What blocks of a Matmul object may not be. Each check says no itself (EK1711, bounds).
#ifndef OPKIT_CORE_ISA_CUBE_MATMUL_CHECKS_H_
#define OPKIT_CORE_ISA_CUBE_MATMUL_CHECKS_H_

#include <string>

#include "opkit/core/isa/cube/sparse_matrix.h"
#include "opkit/core/isa/cube/store_c.h"

namespace opkit::core {

inline bool integers(const MatmulCall& x) {
  return x.a.data.dtype == OPK_INT8 || x.a.data.dtype == OPK_INT4;
}
// Matrices that the author's functions move are theirs.
inline bool moves(const MatmulCall& x, uint8_t own_copy) {
  return (x.steps.own_copies & own_copy) != 0;
}
constexpr uint8_t kOwnA = 1, kOwnB = 2, kOwnC = 4;

// Always false.
bool refuse_matmul(Core& core, std::string text, const char* action, const void* pc);

bool check_types(Core& core, const MatmulCall& x, const void* pc);
bool check_inputs(Core& core, const MatmulCall& x, const void* pc);
bool check_output(Core& core, const MatmulCall& x, const BlockOfC& out, const void* pc);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_MATMUL_CHECKS_H_
