// sum = x + y and difference = x - y, element by element: each input is read once for both.
#include "kernel_operator.h"
#include "@op@_tiling.h"

using namespace AscendC;

class Kernel@OP@ {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR sum, GM_ADDR difference,
                              const @OP@TilingData& tiling) {
    at_ = GetBlockIdx() * tiling.core_elements;
    const uint64_t end = at_ + tiling.core_elements;
    end_ = end < tiling.elements ? end : tiling.elements;
    x_.SetGlobalBuffer((__gm__ DTYPE_X*)x, tiling.elements);
    y_.SetGlobalBuffer((__gm__ DTYPE_X*)y, tiling.elements);
    sum_.SetGlobalBuffer((__gm__ DTYPE_X*)sum, tiling.elements);
    difference_.SetGlobalBuffer((__gm__ DTYPE_X*)difference, tiling.elements);
    pipe_.InitBuffer(x_in_, 2, kTile * sizeof(DTYPE_X));
    pipe_.InitBuffer(y_in_, 2, kTile * sizeof(DTYPE_X));
    pipe_.InitBuffer(sum_out_, 2, kTile * sizeof(DTYPE_X));
    pipe_.InitBuffer(difference_out_, 2, kTile * sizeof(DTYPE_X));
  }

  __aicore__ inline void Process() {
    for (; at_ < end_; at_ += kTile) {
      const uint32_t count = static_cast<uint32_t>(end_ - at_ < kTile ? end_ - at_ : kTile);
      CopyIn(x_in_, x_, count);
      CopyIn(y_in_, y_, count);
      Compute(count);
      CopyOut(sum_, sum_out_, count);
      CopyOut(difference_, difference_out_, count);
    }
  }

 private:
  using Input = TQue<QuePosition::VECIN, 2>;
  using Output = TQue<QuePosition::VECOUT, 2>;

  __aicore__ inline void CopyIn(Input& queue, const GlobalTensor<DTYPE_X>& from, uint32_t count) {
    LocalTensor<DTYPE_X> tile = queue.AllocTensor<DTYPE_X>();
    const DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(DTYPE_X)), 0, 0, 0};
    DataCopyPad(tile, from[at_], copy, DataCopyPadExtParams<DTYPE_X>{false, 0, 0, 0});
    queue.EnQue(tile);
  }

  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<DTYPE_X> x = x_in_.DeQue<DTYPE_X>(), y = y_in_.DeQue<DTYPE_X>();
    LocalTensor<DTYPE_X> sum = sum_out_.AllocTensor<DTYPE_X>();
    LocalTensor<DTYPE_X> difference = difference_out_.AllocTensor<DTYPE_X>();
    Add(sum, x, y, static_cast<int32_t>(count));
    Sub(difference, x, y, static_cast<int32_t>(count));
    sum_out_.EnQue(sum);
    difference_out_.EnQue(difference);
    x_in_.FreeTensor(x);
    y_in_.FreeTensor(y);
  }

  __aicore__ inline void CopyOut(GlobalTensor<DTYPE_X>& to, Output& queue, uint32_t count) {
    LocalTensor<DTYPE_X> tile = queue.DeQue<DTYPE_X>();
    const DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(DTYPE_X)), 0, 0, 0};
    DataCopyPad(to[at_], tile, copy);
    queue.FreeTensor(tile);
  }

  TPipe pipe_;
  Input x_in_, y_in_;
  Output sum_out_, difference_out_;
  GlobalTensor<DTYPE_X> x_, y_, sum_, difference_;
  uint64_t at_ = 0, end_ = 0;
};

extern "C" __global__ __aicore__ void @op@(GM_ADDR x, GM_ADDR y, GM_ADDR sum, GM_ADDR difference,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(@OP@TilingData);
  GET_TILING_DATA(data, tiling);
  Kernel@OP@ op;
  op.Init(x, y, sum, difference, data);
  op.Process();
}
