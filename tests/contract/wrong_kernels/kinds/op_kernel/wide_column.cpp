// Takes the first piece of a wide row again in place of each further one.
#include "copies.h"

// z[m] = the largest element of x[m, :]. Key 1 has whole rows in UB, key 2 pieces of them.
class KernelWideColumn {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, const KindTiling& tiling) {
    const uint64_t start = tiling.per_core * GetBlockIdx();
    const uint64_t rest = tiling.total > start ? tiling.total - start : 0;
    rows_ = rest < tiling.per_core ? rest : tiling.per_core;
    columns_ = tiling.columns;
    tile_ = tiling.tile;
    x_.SetGlobalBuffer((__gm__ float*)x + start * columns_, rows_ * columns_);
    z_.SetGlobalBuffer((__gm__ float*)z + start, rows_);
    pipe_.InitBuffer(in_, 1, tile_ * sizeof(float));
    pipe_.InitBuffer(out_, 1, 32);
    pipe_.InitBuffer(part_, 32);
    pipe_.InitBuffer(work_, tile_ / 8 * sizeof(float));
  }

  __aicore__ inline void Rows() {
    for (uint64_t row = 0; row < rows_; ++row) {
      LocalTensor<float> z = out_.AllocTensor<float>();
      Largest(z, row * columns_, columns_);
      CopyOut(row, z);
    }
  }

  __aicore__ inline void Pieces() {
    LocalTensor<float> part = part_.Get<float>();
    for (uint64_t row = 0; row < rows_; ++row) {
      LocalTensor<float> z = out_.AllocTensor<float>();
      Largest(z, row * columns_, tile_);
      for (uint32_t at = tile_; at < columns_; at += tile_) {
        Largest(part, row * columns_ + (kRight ? at : 0),
                columns_ - at < tile_ ? columns_ - at : tile_);
        Max(z, z, part, 1);
      }
      CopyOut(row, z);
    }
  }

 private:
  __aicore__ inline void Largest(const LocalTensor<float>& to, uint64_t from, uint32_t count) {
    LocalTensor<float> x = in_.AllocTensor<float>();
    Load(x, x_[from], count);
    in_.EnQue(x);
    x = in_.DeQue<float>();
    ReduceMax(to, x, work_.Get<float>(), static_cast<int32_t>(count));
    in_.FreeTensor(x);
  }

  __aicore__ inline void CopyOut(uint64_t row, LocalTensor<float> z) {
    out_.EnQue(z);
    z = out_.DeQue<float>();
    Store(z_[row], z, 1);
    out_.FreeTensor(z);
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, 1> in_;
  TQue<QuePosition::VECOUT, 1> out_;
  TBuf<TPosition::VECCALC> part_, work_;
  GlobalTensor<float> x_, z_;
  uint64_t rows_ = 0;
  uint32_t columns_ = 0, tile_ = 0;
};

extern "C" __global__ __aicore__ void wide_column_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                     GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelWideColumn op;
  op.Init(x, z, data);
  if (TILING_KEY_IS(1)) {
    op.Rows();
  } else if (TILING_KEY_IS(2)) {
    op.Pieces();
  }
}
