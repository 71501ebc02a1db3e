// y = relu(x * scale) * mask / keep_prob in one pass: GM is read once per input and written once,
// where the separate ops would read and write it six times. Computed in float for every T, rounded
// once at the end.
#include "kernel_operator.h"
#include "scale_relu_dropout_tiling.h"

using namespace AscendC;

constexpr int32_t kBuffers = 2;

template <typename T>
class KernelScaleReluDropout {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR mask, GM_ADDR y,
                              const ScaleReluDropoutTilingData& tiling) {
    const uint64_t start = tiling.per_core * GetBlockIdx();
    const uint64_t rest = tiling.total > start ? tiling.total - start : 0;
    length_ = rest < tiling.per_core ? rest : tiling.per_core;
    tile_ = tiling.tile;
    scale_ = tiling.scale;
    keep_prob_ = tiling.keep_prob;
    x_.SetGlobalBuffer((__gm__ T*)x + start, length_);
    mask_.SetGlobalBuffer((__gm__ uint8_t*)mask + start, length_);
    y_.SetGlobalBuffer((__gm__ T*)y + start, length_);
    pipe_.InitBuffer(x_queue_, kBuffers, tile_ * sizeof(T));
    pipe_.InitBuffer(mask_queue_, kBuffers, tile_ * sizeof(uint8_t));
    pipe_.InitBuffer(y_queue_, kBuffers, tile_ * sizeof(T));
    pipe_.InitBuffer(value_buffer_, tile_ * sizeof(float));
    pipe_.InitBuffer(kept_buffer_, tile_ * sizeof(float));
    pipe_.InitBuffer(narrow_buffer_, tile_ * sizeof(half));
    pipe_.InitBuffer(divisor_buffer_, tile_ * sizeof(float));
  }

  __aicore__ inline void Process() {
    LocalTensor<float> divisor = divisor_buffer_.Get<float>();
    Duplicate(divisor, keep_prob_, static_cast<int32_t>(tile_));
    for (uint64_t offset = 0; offset < length_; offset += tile_) {
      const uint64_t rest = length_ - offset;
      const uint32_t count = rest < tile_ ? static_cast<uint32_t>(rest) : tile_;
      CopyIn(offset, count);
      Compute(count);
      CopyOut(offset, count);
    }
  }

 private:
  __aicore__ inline void CopyIn(uint64_t offset, uint32_t count) {
    LocalTensor<T> x = x_queue_.template AllocTensor<T>();
    LocalTensor<uint8_t> mask = mask_queue_.AllocTensor<uint8_t>();
    DataCopyPad(x, x_[offset],
                DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0},
                DataCopyPadExtParams<T>{false, 0, 0, 0});
    DataCopyPad(mask, mask_[offset], DataCopyExtParams{1, count, 0, 0, 0},
                DataCopyPadExtParams<uint8_t>{false, 0, 0, 0});
    x_queue_.EnQue(x);
    mask_queue_.EnQue(mask);
  }

  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<float> value = value_buffer_.Get<float>();
    LocalTensor<float> kept = kept_buffer_.Get<float>();
    LocalTensor<float> divisor = divisor_buffer_.Get<float>();
    LoadMask(kept, count);

    LocalTensor<T> x = x_queue_.template DeQue<T>();
    LocalTensor<T> y = y_queue_.template AllocTensor<T>();
    if constexpr (IsSameType<T, float>::value) {
      Muls(value, x, scale_, count);
    } else {
      Cast(value, x, RoundMode::CAST_NONE, count);
      Muls(value, value, scale_, count);
    }
    Relu(value, value, count);
    Mul(value, value, kept, count);
    if constexpr (IsSameType<T, float>::value) {
      Div(y, value, divisor, count);
    } else {
      Div(value, value, divisor, count);
      Cast(y, value, RoundMode::CAST_RINT, count);
    }
    y_queue_.template EnQue<T>(y);
    x_queue_.FreeTensor(x);
  }

  // uint8_t has no vector arithmetic and no direct way to float: half lies between.
  __aicore__ inline void LoadMask(const LocalTensor<float>& kept, uint32_t count) {
    LocalTensor<uint8_t> mask = mask_queue_.DeQue<uint8_t>();
    LocalTensor<half> narrow = narrow_buffer_.Get<half>();
    Cast(narrow, mask, RoundMode::CAST_NONE, count);
    Cast(kept, narrow, RoundMode::CAST_NONE, count);
    mask_queue_.FreeTensor(mask);
  }

  __aicore__ inline void CopyOut(uint64_t offset, uint32_t count) {
    LocalTensor<T> y = y_queue_.template DeQue<T>();
    DataCopyPad(y_[offset], y,
                DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0});
    y_queue_.FreeTensor(y);
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, kBuffers> x_queue_, mask_queue_;
  TQue<QuePosition::VECOUT, kBuffers> y_queue_;
  TBuf<TPosition::VECCALC> value_buffer_, kept_buffer_, narrow_buffer_, divisor_buffer_;
  GlobalTensor<T> x_, y_;
  GlobalTensor<uint8_t> mask_;
  uint64_t length_ = 0;
  uint32_t tile_ = 0;
  float scale_ = 1.0f, keep_prob_ = 1.0f;
};

extern "C" __global__ __aicore__ void scale_relu_dropout(GM_ADDR x, GM_ADDR mask, GM_ADDR y,
                                                         GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ScaleReluDropoutTilingData);
  GET_TILING_DATA(data, tiling);
  KernelScaleReluDropout<DTYPE_X> op;
  op.Init(x, mask, y, data);
  op.Process();
}
