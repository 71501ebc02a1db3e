// A part of a recurrent layer's state: the sums of one gate after the other in UB, from x, from the
// state or from both, and what is beside them.
//
//   struct Step {                        // what becomes of a part
//     void operator()(Gates& gates, const product::Block& block);
//   };
//   gates.Begin(pipe, data, {x, h, w_x, w_h}, workspace);
//   if ASCEND_IS_AIV {
//     Step step(...);
//     gates.Run(step, pipe);
//   }
//   gates.End();
#ifndef RECURRENT_CELL_GATES_H_
#define RECURRENT_CELL_GATES_H_

#include "driven_sums.h"
#include "layout.h"
#include "stored_sums.h"
#include "widened.h"

namespace cell {

// Sums: DrivenSums or StoredSums.
template <typename T, typename Sums>
class Gates : public Sums {
 public:
  __aicore__ inline void Begin(TPipe& pipe, const RecurrentCellTiling& t, const Operands& operands,
                               GM_ADDR workspace) {
    t_ = &t;
    Sums::Begin(pipe, t, operands, workspace);
  }

  // Calls the step for this vector core's parts.
  template <typename Step>
  __aicore__ inline void Run(Step& step, TPipe& pipe) {
    const RecurrentCellTiling& t = *t_;
    const uint32_t block = t.part_rows * t.pitch;
    Sums::InitUb(pipe);
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
                        t.pitch});
    }
  }

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

 private:
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
  TQue<QuePosition::VECIN, 1> in_;
  Widened<T> wide_;
  product::Store<T> store_;
};

}  // namespace cell

#endif  // RECURRENT_CELL_GATES_H_
