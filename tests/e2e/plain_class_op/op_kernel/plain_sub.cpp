#include "kernel_operator.h"

using namespace AscendC;

class KernelPlainSub {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total, uint32_t tile) {
    total_ = total;
    tile_ = tile;
    x_.SetGlobalBuffer((__gm__ DTYPE_X*)x, total);
    y_.SetGlobalBuffer((__gm__ DTYPE_Y*)y, total);
    z_.SetGlobalBuffer((__gm__ DTYPE_Z*)z, total);
    pipe_.InitBuffer(in_x_, 2, tile * sizeof(DTYPE_X));
    pipe_.InitBuffer(in_y_, 2, tile * sizeof(DTYPE_Y));
    pipe_.InitBuffer(out_z_, 2, tile * sizeof(DTYPE_Z));
  }
  __aicore__ inline void Process() {
    for (uint32_t start = 0; start < total_; start += tile_) {
      Step(start, total_ - start < tile_ ? total_ - start : tile_);
    }
  }

 private:
  __aicore__ inline void Step(uint32_t start, uint32_t count) {
    const DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(DTYPE_X)), 0, 0, 0};
    LocalTensor<DTYPE_X> x = in_x_.AllocTensor<DTYPE_X>();
    LocalTensor<DTYPE_Y> y = in_y_.AllocTensor<DTYPE_Y>();
    DataCopyPad(x, x_[start], params, DataCopyPadExtParams<DTYPE_X>{false, 0, 0, 0});
    DataCopyPad(y, y_[start], params, DataCopyPadExtParams<DTYPE_Y>{false, 0, 0, 0});
    in_x_.EnQue(x);
    in_y_.EnQue(y);
    x = in_x_.DeQue<DTYPE_X>();
    y = in_y_.DeQue<DTYPE_Y>();
    LocalTensor<DTYPE_Z> z = out_z_.AllocTensor<DTYPE_Z>();
    Sub(z, x, y, count);
    out_z_.EnQue(z);
    in_x_.FreeTensor(x);
    in_y_.FreeTensor(y);
    z = out_z_.DeQue<DTYPE_Z>();
    DataCopyPad(z_[start], z, params);
    out_z_.FreeTensor(z);
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, 2> in_x_, in_y_;
  TQue<QuePosition::VECOUT, 2> out_z_;
  GlobalTensor<DTYPE_X> x_;
  GlobalTensor<DTYPE_Y> y_;
  GlobalTensor<DTYPE_Z> z_;
  uint32_t total_ = 0, tile_ = 0;
};

extern "C" __global__ __aicore__ void plain_sub(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace,
                                                GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  KernelPlainSub op;
  op.Init(x, y, z, data.total, data.tile);
  if (TILING_KEY_IS(1)) op.Process();
}
