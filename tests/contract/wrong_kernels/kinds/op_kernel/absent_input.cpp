// Adds the optional input also where it is not given, from a buffer that nobody filled.
#include "copies.h"

class KernelAbsentInput {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const KindTiling& tiling) {
    const uint64_t start = tiling.per_core * GetBlockIdx();
    const uint64_t rest = tiling.total > start ? tiling.total - start : 0;
    length_ = rest < tiling.per_core ? rest : tiling.per_core;
    tile_ = tiling.tile;
    given_ = tiling.more != 0;
    x_.SetGlobalBuffer((__gm__ float*)x + start, length_);
    if (given_) y_.SetGlobalBuffer((__gm__ float*)y + start, length_);
    z_.SetGlobalBuffer((__gm__ float*)z + start, length_);
    pipe_.InitBuffer(x_queue_, 2, tile_ * sizeof(float));
    pipe_.InitBuffer(y_queue_, 2, tile_ * sizeof(float));
    pipe_.InitBuffer(z_queue_, 2, tile_ * sizeof(float));
  }

  __aicore__ inline void Process() {
    for (uint64_t at = 0; at < length_; at += tile_)
      Tile(at, length_ - at < tile_ ? static_cast<uint32_t>(length_ - at) : tile_);
  }

 private:
  __aicore__ inline void Tile(uint64_t at, uint32_t count) {
    LocalTensor<float> x = x_queue_.AllocTensor<float>(), y = y_queue_.AllocTensor<float>();
    Load(x, x_[at], count);
    if (given_) Load(y, y_[at], count);
    x_queue_.EnQue(x);
    y_queue_.EnQue(y);
    x = x_queue_.DeQue<float>();
    y = y_queue_.DeQue<float>();
    LocalTensor<float> z = z_queue_.AllocTensor<float>();
    Muls(z, x, 2.0f, count);
    if (given_ || !kRight) Add(z, z, y, count);
    x_queue_.FreeTensor(x);
    y_queue_.FreeTensor(y);
    z_queue_.EnQue(z);
    z = z_queue_.DeQue<float>();
    Store(z_[at], z, count);
    z_queue_.FreeTensor(z);
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, 2> x_queue_, y_queue_;
  TQue<QuePosition::VECOUT, 2> z_queue_;
  GlobalTensor<float> x_, y_, z_;
  uint64_t length_ = 0;
  uint32_t tile_ = 0;
  bool given_ = false;
};

extern "C" __global__ __aicore__ void absent_input_op(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                                      GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelAbsentInput op;
  op.Init(x, y, z, data);
  op.Process();
}
