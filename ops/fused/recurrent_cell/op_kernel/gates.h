// The products of a recurrent layer's step: for a part of the state, the sums of one gate after the
// other in UB, from x, from the state or from both.
//
//   struct Step {                        // what becomes of a part
//     void operator()(Gates<T>& gates, const product::Block& block);
//   };
//   gates.Run(step, pipe, data, x, h, w_x, w_h);
#ifndef RECURRENT_CELL_GATES_H_
#define RECURRENT_CELL_GATES_H_

#include "layout.h"
#include "lib/matmul_intf.h"
#include "product_store.h"
#include "recurrent_cell_tiling.h"
#include "widened.h"

namespace cell {

using namespace AscendC;
using product::Block;

template <typename T, uint32_t kGates>
class Gates {
 public:
  template <typename Step>
  __aicore__ inline void Run(Step& step, TPipe& pipe, const RecurrentCellTiling& t, GM_ADDR x,
                             GM_ADDR h, GM_ADDR w_x, GM_ADDR w_h) {
    t_ = &t;
    x_.SetGlobalBuffer((__gm__ T*)x);
    h_.SetGlobalBuffer((__gm__ T*)h);
    w_x_.SetGlobalBuffer((__gm__ T*)w_x);
    w_h_.SetGlobalBuffer((__gm__ T*)w_h);
    const uint32_t block = static_cast<uint32_t>(t.cube.baseM) * t.cube.baseN;
    pipe.InitBuffer(sums_, 1, block * sizeof(float));
    pipe.InitBuffer(in_, 1, block * sizeof(T));
    wide_.Init(pipe, block);
    store_.Init(pipe, block);
    const uint64_t across = (t.columns + t.part_columns - 1) / t.part_columns;
    const uint64_t parts = (t.rows + t.part_rows - 1) / t.part_rows * across;
    const auto cores = static_cast<uint64_t>(GetBlockNum() * GetTaskRation());
    for (auto part = static_cast<uint64_t>(GetBlockIdx()); part < parts; part += cores) {
      const uint64_t row = part / across * t.part_rows, column = part % across * t.part_columns;
      step(*this, Block{static_cast<uint32_t>(row), static_cast<uint32_t>(column),
                        static_cast<uint32_t>(layout::Least(t.part_rows, t.rows - row)),
                        static_cast<uint32_t>(layout::Least(t.part_columns, t.columns - column)),
                        static_cast<uint32_t>(t.cube.baseN)});
    }
    mm.End();
  }

  // Sums of a gate. Give them back with Free.
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

  // Adds a gate's part of a row of numbers to every row.
  __aicore__ inline void Increase(const LocalTensor<float>& sums, const GlobalTensor<T>& numbers,
                                  uint32_t gate, const Block& block) {
    WithRows(numbers[gate * t_->columns + block.column], 1, block.columns, block,
             [&](const LocalTensor<float>& row) {
               for (uint32_t i = 0; i < block.rows; ++i)
                 Add(sums[i * block.pitch], sums[i * block.pitch], row, block.columns);
             });
  }
  // Calls `call(values)` with the block of a state.
  template <typename Call>
  __aicore__ inline void WithState(const GlobalTensor<T>& state, const Block& block,
                                   const Call& call) {
    WithRows(state[block.row * t_->columns + block.column], block.rows, t_->columns, block, call);
  }
  __aicore__ inline void Save(const GlobalTensor<T>& state, const LocalTensor<float>& values,
                              const Block& block) {
    store_.Out(state[block.row * t_->columns + block.column], t_->columns, values, block);
  }

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

  // Rows that lie `stride` elements apart.
  template <typename Call>
  __aicore__ inline void WithRows(const GlobalTensor<T>& from, uint32_t rows, uint64_t stride,
                                  const Block& block, const Call& call) {
    LocalTensor<T> in = in_.template AllocTensor<T>();
    layout::Rows<T>(rows, block.columns, stride, block.pitch).Load(in, from);
    in_.EnQue(in);
    in = in_.template DeQue<T>();
    call(wide_(in, rows * block.pitch));
    in_.FreeTensor(in);
  }

  const RecurrentCellTiling* t_ = nullptr;
  GlobalTensor<T> x_, h_, w_x_, w_h_;
  TQue<QuePosition::VECIN, 1> sums_, in_;
  Widened<T> wide_;
  product::Store<T> store_;
};

}  // namespace cell

#endif  // RECURRENT_CELL_GATES_H_
