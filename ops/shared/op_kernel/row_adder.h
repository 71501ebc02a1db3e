// A row of numbers in GM added to every row of a block of sums.
#ifndef OPS_SHARED_ROW_ADDER_H_
#define OPS_SHARED_ROW_ADDER_H_

#include "layout.h"
#include "product_store.h"
#include "widened.h"

template <typename T>
class RowAdder {
 public:
  // columns: of a block, at most.
  __aicore__ inline void Init(AscendC::TPipe& pipe, uint32_t columns) {
    pipe.InitBuffer(row_, 1, columns * sizeof(T));
    wide_.Init(pipe, columns);
  }

  // Adds `numbers`, those of the block's columns, to every row of the block.
  __aicore__ inline void Add(const AscendC::LocalTensor<float>& sums,
                             const AscendC::GlobalTensor<T>& numbers, const product::Block& block) {
    AscendC::LocalTensor<T> in = row_.template AllocTensor<T>();
    layout::Rows<T>(1, block.columns, block.columns, block.pitch).Load(in, numbers);
    row_.EnQue(in);
    in = row_.template DeQue<T>();
    const AscendC::LocalTensor<float> row = wide_(in, block.columns);
    for (uint32_t i = 0; i < block.rows; ++i)
      AscendC::Add(sums[i * block.pitch], sums[i * block.pitch], row, block.columns);
    row_.FreeTensor(in);
  }

 private:
  AscendC::TQue<AscendC::QuePosition::VECIN, 1> row_;
  Widened<T> wide_;
};

#endif  // OPS_SHARED_ROW_ADDER_H_
