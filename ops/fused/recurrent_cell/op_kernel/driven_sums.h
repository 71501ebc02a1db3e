// Sums of gates where the vector cores drive the cube unit: a block of one gate at a time. The
// calls are those of StoredSums (stored_sums.h).
#ifndef RECURRENT_CELL_DRIVEN_SUMS_H_
#define RECURRENT_CELL_DRIVEN_SUMS_H_

#include "lib/matmul_intf.h"
#include "operands.h"
#include "product_store.h"
#include "recurrent_cell_tiling.h"

namespace cell {

using namespace AscendC;
using product::Block;

template <typename T, uint32_t kGates>
class DrivenSums {
 public:
  __aicore__ inline void Begin(TPipe&, const RecurrentCellTiling& t, const Operands& operands,
                               GM_ADDR) {
    t_ = &t;
    x_.SetGlobalBuffer((__gm__ T*)operands.x);
    h_.SetGlobalBuffer((__gm__ T*)operands.h);
    w_x_.SetGlobalBuffer((__gm__ T*)operands.w_x);
    w_h_.SetGlobalBuffer((__gm__ T*)operands.w_h);
  }
  __aicore__ inline void InitUb(TPipe& pipe) {
    pipe.InitBuffer(sums_, 1, t_->part_rows * t_->pitch * sizeof(float));
  }
  __aicore__ inline void End() { mm.End(); }

  // Return sums of a gate. Give them back with Free.
  __aicore__ inline LocalTensor<float> OfInput(uint32_t gate, const Block& block) {
    Multiply(x_, t_->inputs, w_x_, gate, block, false);
    return Take();
  }
  __aicore__ inline LocalTensor<float> OfState(uint32_t gate, const Block& block) {
    Multiply(h_, t_->columns, w_h_, gate, block, false);
    return Take();
  }
  __aicore__ inline LocalTensor<float> OfBoth(uint32_t gate, const Block& block) {
    Multiply(x_, t_->inputs, w_x_, gate, block, false);
    Multiply(h_, t_->columns, w_h_, gate, block, true);
    return Take();
  }
  __aicore__ inline void Free(LocalTensor<float>& sums) { sums_.FreeTensor(sums); }

  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, T>, MatmulType<TPosition::GM, CubeFormat::ND, T>,
         MatmulType<TPosition::VECIN, CubeFormat::ND, float>>
      mm;

 private:
  // The sums lie in the cube core until Take.
  __aicore__ inline void Multiply(const GlobalTensor<T>& a, uint64_t k, const GlobalTensor<T>& b,
                                  uint32_t gate, const Block& block, bool adds) {
    const auto depth = static_cast<int32_t>(k);
    mm.SetOrgShape(static_cast<int32_t>(t_->rows), static_cast<int32_t>(kGates * t_->columns),
                   depth);
    mm.SetTail(static_cast<int32_t>(block.rows), static_cast<int32_t>(block.columns), depth);
    mm.SetTensorA(a[block.row * k]);
    mm.SetTensorB(b[gate * t_->columns + block.column]);
    mm.template Iterate<true>(adds);
  }
  __aicore__ inline LocalTensor<float> Take() {
    LocalTensor<float> sums = sums_.template AllocTensor<float>();
    mm.template GetTensorC<true>(sums, 0, true);
    sums_.EnQue(sums);
    return sums_.template DeQue<float>();
  }

  const RecurrentCellTiling* t_ = nullptr;
  GlobalTensor<T> x_, h_, w_x_, w_h_;
  TQue<QuePosition::VECIN, 1> sums_;
};

}  // namespace cell

#endif  // RECURRENT_CELL_DRIVEN_SUMS_H_
