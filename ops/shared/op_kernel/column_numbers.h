// A tensor with a float for every column of y, brought to the columns of a block.
#ifndef OPS_SHARED_COLUMN_NUMBERS_H_
#define OPS_SHARED_COLUMN_NUMBERS_H_

#include "product_store.h"

namespace product {

class ColumnNumbers {
 public:
  // columns: of a block, at most.
  __aicore__ inline void Init(TPipe& pipe, GM_ADDR numbers, uint32_t columns) {
    numbers_.SetGlobalBuffer((__gm__ float*)numbers);
    pipe.InitBuffer(row_, 1, columns * sizeof(float));
  }

  __aicore__ inline float First() const { return numbers_.GetValue(0); }

  // Every row of the block times the numbers of its columns.
  __aicore__ inline void Multiply(const LocalTensor<float>& values, const Block& block) {
    LocalTensor<float> row = row_.AllocTensor<float>();
    const auto bytes = static_cast<uint32_t>(block.columns * sizeof(float));
    DataCopyPad(row, numbers_[block.column], DataCopyExtParams{1, bytes, 0, 0, 0},
                DataCopyPadExtParams<float>{false, 0, 0, 0});
    row_.EnQue(row);
    row = row_.DeQue<float>();
    const auto pitch = static_cast<uint8_t>(block.pitch / kBlock);
    for (uint32_t column = 0; column < block.columns; column += kRepeat) {
      const uint64_t mask = block.columns - column < kRepeat ? block.columns - column : kRepeat;
      Mul(values[column], values[column], row[column], mask, static_cast<uint8_t>(block.rows),
          BinaryRepeatParams(1, 1, 1, pitch, pitch, 0));
    }
    row_.FreeTensor(row);
  }

 private:
  static constexpr uint32_t kRepeat = 64;  // floats of one repeat: each steps over a row
  static constexpr uint32_t kBlock = 8;    // floats

  GlobalTensor<float> numbers_;
  TQue<QuePosition::VECIN, 1> row_;
};

}  // namespace product

#endif  // OPS_SHARED_COLUMN_NUMBERS_H_
