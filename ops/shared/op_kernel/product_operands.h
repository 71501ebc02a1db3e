// Where the matrices a and b of a batch begin, as matmul_plan.h says: both ways of multiplying
// read it.
#ifndef OPS_SHARED_PRODUCT_OPERANDS_H_
#define OPS_SHARED_PRODUCT_OPERANDS_H_

#include "kernel_operator.h"
#include "lib/matmul_intf.h"

namespace product {

// kB: how a matrix b lies in GM; in NZ there is one for all batches.
template <CubeFormat kB, typename Plan>
class Operands {
 public:
  __aicore__ inline explicit Operands(const Plan& plan) : plan_(plan) {}

  __aicore__ inline bool ATurned() const { return (plan_.turned & kTurnsA) != 0; }
  __aicore__ inline bool BTurned() const { return (plan_.turned & kTurnsB) != 0; }

  // Elements in front of a row of a, and of a column of b, in a batch.
  __aicore__ inline uint64_t PlaceInA(uint64_t batch, int32_t row) const {
    return Start(batch, plan_.a_stride) +
           (ATurned() ? row : static_cast<uint64_t>(row) * plan_.cube.Ka);
  }
  __aicore__ inline uint64_t PlaceInB(uint64_t batch, int32_t column) const {
    return Start(batch, plan_.b_stride) + ColumnOfB(column);
  }

 private:
  static constexpr uint32_t kTurnsA = 1, kTurnsB = 2;  // bits of plan.turned

  // Batches are counted row-major over plan's dims; a stride of 0 repeats the matrix.
  template <typename Strides>
  __aicore__ inline uint64_t Start(uint64_t batch, const Strides& strides) const {
    uint64_t at = 0;
    for (uint32_t dim = plan_.batch_dims; dim-- > 0;) {
      at += batch % plan_.batch_size[dim] * strides[dim];
      batch /= plan_.batch_size[dim];
    }
    return at;
  }
  // A share's first column is a multiple of 16, and of the columns of a fractal.
  __aicore__ inline uint64_t ColumnOfB(int32_t column) const {
    if constexpr (kB == CubeFormat::NZ)
      return static_cast<uint64_t>((plan_.cube.Kb + 15) / 16) * 16 * column;
    return BTurned() ? static_cast<uint64_t>(column) * plan_.cube.Kb : column;
  }

  const Plan& plan_;
};

}  // namespace product

#endif  // OPS_SHARED_PRODUCT_OPERANDS_H_
