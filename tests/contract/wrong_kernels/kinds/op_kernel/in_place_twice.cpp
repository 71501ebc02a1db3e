// Moves its last tile back to make it whole, and so computes on its own results.
#include "copies.h"

// var = 2 * var + 1, where it lies.
class KernelInPlaceTwice {
 public:
  __aicore__ inline void Init(GM_ADDR var, const KindTiling& tiling) {
    const uint64_t start = tiling.per_core * GetBlockIdx();
    const uint64_t rest = tiling.total > start ? tiling.total - start : 0;
    length_ = rest < tiling.per_core ? rest : tiling.per_core;
    tile_ = tiling.tile;
    var_.SetGlobalBuffer((__gm__ float*)var + start, length_);
    pipe_.InitBuffer(in_, 2, tile_ * sizeof(float));
    pipe_.InitBuffer(out_, 2, tile_ * sizeof(float));
  }

  __aicore__ inline void Process() {
    for (uint64_t at = 0; at < length_; at += tile_) {
      if (length_ - at >= tile_)
        Tile(at, tile_);
      else if (kRight || length_ < tile_)
        Tile(at, static_cast<uint32_t>(length_ - at));
      else
        Again(length_ - tile_);
    }
  }

 private:
  __aicore__ inline void Again(uint64_t at) {
    PipeBarrier<PIPE_ALL>();
    Tile(at, tile_);
  }

  __aicore__ inline void Tile(uint64_t at, uint32_t count) {
    LocalTensor<float> in = in_.AllocTensor<float>();
    Load(in, var_[at], count);
    in_.EnQue(in);
    in = in_.DeQue<float>();
    LocalTensor<float> out = out_.AllocTensor<float>();
    Muls(out, in, 2.0f, count);
    Adds(out, out, 1.0f, count);
    in_.FreeTensor(in);
    out_.EnQue(out);
    out = out_.DeQue<float>();
    Store(var_[at], out, count);
    out_.FreeTensor(out);
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, 2> in_;
  TQue<QuePosition::VECOUT, 2> out_;
  GlobalTensor<float> var_;
  uint64_t length_ = 0;
  uint32_t tile_ = 0;
};

extern "C" __global__ __aicore__ void in_place_twice_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                        GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelInPlaceTwice op;
  op.Init(z, data);
  op.Process();
}
