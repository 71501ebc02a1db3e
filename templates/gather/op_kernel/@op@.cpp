// y[i] = table[indices[i]]. Indices come to UB in batches and are read one by one; each names the row
// that is copied in and out.
#include "kernel_operator.h"
#include "@op@_tiling.h"

using namespace AscendC;

class Kernel@OP@ {
 public:
  __aicore__ inline void Init(GM_ADDR table, GM_ADDR indices, GM_ADDR y,
                              const @OP@TilingData& tiling) {
    columns_ = tiling.columns;
    row_ = GetBlockIdx() * tiling.core_rows;
    const uint64_t end = row_ + tiling.core_rows;
    end_ = end < tiling.rows ? end : tiling.rows;
    table_.SetGlobalBuffer((__gm__ DTYPE_TABLE*)table, tiling.table_rows * columns_);
    indices_.SetGlobalBuffer((__gm__ int32_t*)indices, tiling.rows);
    y_.SetGlobalBuffer((__gm__ DTYPE_TABLE*)y, tiling.rows * columns_);
    const uint32_t per_block = 32 / sizeof(DTYPE_TABLE);
    const uint32_t width = (columns_ + per_block - 1) / per_block * per_block;
    pipe_.InitBuffer(picked_, 1, kBatch * sizeof(int32_t));
    pipe_.InitBuffer(rows_, 2, width * sizeof(DTYPE_TABLE));
  }

  __aicore__ inline void Process() {
    for (; row_ < end_; row_ += kBatch) {
      const uint32_t count = static_cast<uint32_t>(end_ - row_ < kBatch ? end_ - row_ : kBatch);
      ReadIndices(count);
      LocalTensor<int32_t> picked = picked_.DeQue<int32_t>();
      WaitForIndices();
      for (uint32_t i = 0; i < count; ++i) {
        CopyIn(static_cast<uint64_t>(picked.GetValue(i)));
        CopyOut(row_ + i);
      }
      picked_.FreeTensor(picked);
    }
  }

 private:
  __aicore__ inline void ReadIndices(uint32_t count) {
    LocalTensor<int32_t> picked = picked_.AllocTensor<int32_t>();
    const DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(int32_t)), 0, 0, 0};
    DataCopyPad(picked, indices_[row_], copy, DataCopyPadExtParams<int32_t>{false, 0, 0, 0});
    picked_.EnQue(picked);
  }

  // The queue orders the vector unit behind the copy; numbers are read by the scalar unit.
  __aicore__ inline void WaitForIndices() {
    const event_t id = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::MTE2_S));
    SetFlag<HardEvent::MTE2_S>(id);
    WaitFlag<HardEvent::MTE2_S>(id);
  }

  __aicore__ inline void CopyIn(uint64_t from) {
    LocalTensor<DTYPE_TABLE> row = rows_.AllocTensor<DTYPE_TABLE>();
    DataCopyPad(row, table_[from * columns_], OneRow(),
                DataCopyPadExtParams<DTYPE_TABLE>{false, 0, 0, 0});
    rows_.EnQue(row);
  }

  __aicore__ inline void CopyOut(uint64_t to) {
    LocalTensor<DTYPE_TABLE> row = rows_.DeQue<DTYPE_TABLE>();
    DataCopyPad(y_[to * columns_], row, OneRow());
    rows_.FreeTensor(row);
  }

  __aicore__ inline DataCopyExtParams OneRow() const {
    return {1, static_cast<uint32_t>(columns_ * sizeof(DTYPE_TABLE)), 0, 0, 0};
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, 1> picked_;
  TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 2> rows_;  // goes in and out, nothing between
  GlobalTensor<DTYPE_TABLE> table_, y_;
  GlobalTensor<int32_t> indices_;
  uint32_t columns_ = 0;
  uint64_t row_ = 0, end_ = 0;
};

extern "C" __global__ __aicore__ void @op@(GM_ADDR table, GM_ADDR indices, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(@OP@TilingData);
  GET_TILING_DATA(data, tiling);
  Kernel@OP@ op;
  op.Init(table, indices, y, data);
  op.Process();
}
