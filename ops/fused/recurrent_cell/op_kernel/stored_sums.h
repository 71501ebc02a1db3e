// Sums of gates where the chip has cube cores of their own: these multiply x and the state by the
// weights of all gates first, into the workspace, and the vector cores read what they need of it.
#ifndef RECURRENT_CELL_STORED_SUMS_H_
#define RECURRENT_CELL_STORED_SUMS_H_

#include "layout.h"
#include "lib/matmul_intf.h"
#include "operands.h"
#include "product_store.h"
#include "recurrent_cell_tiling.h"

namespace cell {

using namespace AscendC;
using product::Block;

template <typename T, uint32_t kGates>
class StoredSums {
 public:
  // Multiplies on cube cores; vector cores go on when all products are stored.
  __aicore__ inline void Begin(TPipe& pipe, const RecurrentCellTiling& t, const Operands& operands,
                               GM_ADDR workspace) {
    t_ = &t;
    width_ = kGates * t.columns;
    of_input_.SetGlobalBuffer((__gm__ float*)GetUserWorkspace(workspace));
    of_state_ = of_input_[t.rows * width_];
    if ASCEND_IS_AIC {
      mm_.Init(&t.cube, &pipe);
      MultiplyAll(operands);
      mm_.End();
      CrossCoreSetFlag<0x0, PIPE_FIX>(kCubesDone);
      CrossCoreWaitFlag(kCubesDone);
      CrossCoreSetFlag<0x2, PIPE_FIX>(kStored);
    }
    if ASCEND_IS_AIV {
      CrossCoreWaitFlag(kStored);
    }
  }
  __aicore__ inline void InitUb(TPipe& pipe) {
    pipe.InitBuffer(sums_, 2, t_->part_rows * t_->pitch * sizeof(float));
  }
  __aicore__ inline void End() {}

  // Return sums of a gate. Give them back with Free.
  __aicore__ inline LocalTensor<float> OfInput(uint32_t gate, const Block& block) {
    return Load(of_input_, gate, block);
  }
  __aicore__ inline LocalTensor<float> OfState(uint32_t gate, const Block& block) {
    return Load(of_state_, gate, block);
  }
  __aicore__ inline LocalTensor<float> OfBoth(uint32_t gate, const Block& block) {
    LocalTensor<float> sums = Load(of_input_, gate, block), more = Load(of_state_, gate, block);
    Add(sums, sums, more, block.elements());
    sums_.FreeTensor(more);
    return sums;
  }
  __aicore__ inline void Free(LocalTensor<float>& sums) { sums_.FreeTensor(sums); }

 private:
  static constexpr uint16_t kCubesDone = 0, kStored = 1;

  // Deals out base blocks of both products to all cube cores.
  __aicore__ inline void MultiplyAll(const Operands& operands) {
    const auto high = static_cast<uint64_t>(t_->cube.baseM),
               wide = static_cast<uint64_t>(t_->cube.baseN);
    const uint64_t down = (t_->rows + high - 1) / high, across = (width_ + wide - 1) / wide;
    const uint64_t blocks = down * across;
    for (auto i = static_cast<uint64_t>(GetBlockIdx()); i < 2 * blocks;
         i += static_cast<uint64_t>(GetBlockNum())) {
      const uint64_t row = i % blocks % down * high, column = i % blocks / down * wide;
      if (i < blocks) {
        Multiply(of_input_, operands.x, t_->inputs, operands.w_x, row, column);
      } else {
        Multiply(of_state_, operands.h, t_->columns, operands.w_h, row, column);
      }
    }
  }
  __aicore__ inline void Multiply(const GlobalTensor<float>& to, GM_ADDR a, uint64_t k, GM_ADDR b,
                                  uint64_t row, uint64_t column) {
    GlobalTensor<T> from, weights;
    from.SetGlobalBuffer((__gm__ T*)a);
    weights.SetGlobalBuffer((__gm__ T*)b);
    const auto depth = static_cast<int32_t>(k);
    mm_.SetOrgShape(static_cast<int32_t>(t_->rows), static_cast<int32_t>(width_), depth);
    mm_.SetTail(
        static_cast<int32_t>(layout::Least(static_cast<uint64_t>(t_->cube.baseM), t_->rows - row)),
        static_cast<int32_t>(layout::Least(static_cast<uint64_t>(t_->cube.baseN), width_ - column)),
        depth);
    mm_.SetTensorA(from[row * k]);
    mm_.SetTensorB(weights[column]);
    mm_.IterateAll(to[row * width_ + column]);
  }

  __aicore__ inline LocalTensor<float> Load(const GlobalTensor<float>& from, uint32_t gate,
                                            const Block& block) {
    LocalTensor<float> sums = sums_.template AllocTensor<float>();
    layout::Rows<float>(block.rows, block.columns, width_, block.pitch)
        .Load(sums, from[block.row * width_ + gate * t_->columns + block.column]);
    sums_.EnQue(sums);
    return sums_.template DeQue<float>();
  }

  const RecurrentCellTiling* t_ = nullptr;
  uint64_t width_ = 0;  // columns of all gates
  GlobalTensor<float> of_input_, of_state_;
  TQue<QuePosition::VECIN, 2> sums_;
  MatmulImpl<MatmulType<TPosition::GM, CubeFormat::ND, T>,
             MatmulType<TPosition::GM, CubeFormat::ND, T>,
             MatmulType<TPosition::GM, CubeFormat::ND, float>,
             MatmulType<TPosition::GM, CubeFormat::ND, float>, CFG_MDL>
      mm_;
};

}  // namespace cell

#endif  // RECURRENT_CELL_STORED_SUMS_H_
