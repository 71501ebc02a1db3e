// y = alpha * a * b + beta * c.
#include "matmul_epilogue.h"

using namespace AscendC;
using product::Block;

// c is a matrix as y is; T: of both.
template <typename T>
class ScaledSum {
 public:
  static constexpr bool kPlaced = true;

  // rows, columns: of a block, at most.
  __aicore__ inline ScaledSum(TPipe& pipe, GM_ADDR c, GM_ADDR alpha, GM_ADDR beta, uint64_t width,
                              uint32_t rows, uint32_t columns)
      : width_(width) {
    c_.SetGlobalBuffer((__gm__ T*)c);
    GlobalTensor<T> factor;
    factor.SetGlobalBuffer((__gm__ T*)alpha, 1);
    alpha_ = static_cast<float>(factor.GetValue(0));
    factor.SetGlobalBuffer((__gm__ T*)beta, 1);
    beta_ = static_cast<float>(factor.GetValue(0));
    pipe.InitBuffer(stored_, 1, rows * columns * sizeof(T));
    pipe.InitBuffer(wide_, rows * columns * sizeof(float));
  }

  __aicore__ inline void operator()(const LocalTensor<float>& sums, const Block& block) const {
    LocalTensor<T> in = stored_.template AllocTensor<T>();
    Bring(in, block);
    stored_.EnQue(in);
    in = stored_.template DeQue<T>();
    const LocalTensor<float> kept = wide_.Get<float>();
    const auto rows = static_cast<uint8_t>(block.rows);
    const auto pitch = static_cast<uint8_t>(block.pitch / kFloats);
    const auto stored = static_cast<uint8_t>(block.pitch * sizeof(T) / kBlockBytes);
    for (uint32_t at = 0; at < block.columns; at += kRepeat) {
      const uint64_t mask = block.columns - at < kRepeat ? block.columns - at : kRepeat;
      if constexpr (IsSameType<T, float>::value) {
        Muls(kept[at], in[at], beta_, mask, rows, {1, 1, pitch, stored});
      } else {
        Cast(kept[at], in[at], RoundMode::CAST_NONE, mask, rows, {1, 1, pitch, stored});
        Muls(kept[at], kept[at], beta_, mask, rows, {1, 1, pitch, pitch});
      }
      Muls(sums[at], sums[at], alpha_, mask, rows, {1, 1, pitch, pitch});
      Add(sums[at], sums[at], kept[at], mask, rows, {1, 1, 1, pitch, pitch, pitch});
    }
    stored_.FreeTensor(in);
  }

 private:
  static constexpr uint32_t kRepeat = 64, kFloats = 8, kBlockBytes = 32;

  __aicore__ inline void Bring(const LocalTensor<T>& in, const Block& block) const {
    const auto bytes = static_cast<uint32_t>(block.columns * sizeof(T));
    const auto pitch = static_cast<uint32_t>(block.pitch * sizeof(T));
    const uint32_t gap = (pitch - (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes);
    DataCopyPad(in, c_[block.row * width_ + block.column],
                DataCopyExtParams{static_cast<uint16_t>(block.rows), bytes,
                                  static_cast<uint32_t>((width_ - block.columns) * sizeof(T)),
                                  gap / kBlockBytes, 0},
                DataCopyPadExtParams<T>{false, 0, 0, 0});
  }

  uint64_t width_;  // columns of c
  float alpha_, beta_;
  GlobalTensor<T> c_;
  mutable TQue<QuePosition::VECIN, 1> stored_;
  mutable TBuf<TPosition::VECCALC> wide_;
};

extern "C" __global__ __aicore__ void gemm_scaled(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR alpha,
                                                  GM_ADDR beta, GM_ADDR y, GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  const matmul::Tensors tensors{a, b, nullptr, y, workspace};
  const auto make = [&] {
    return ScaledSum<DTYPE_Y>(pipe, c, alpha, beta, static_cast<uint64_t>(data.plan.cube.N),
                              data.plan.piece_rows, static_cast<uint32_t>(data.plan.cube.baseN));
  };
  if (TILING_KEY_IS(0)) {  // the vector units drive the cube unit
    matmul::Driven<DTYPE_Y, DTYPE_A, CubeFormat::ND>(make, data.plan, pipe, tensors);
  } else if (TILING_KEY_IS(1)) {
    matmul::InSlots<DTYPE_Y, DTYPE_A, CubeFormat::ND>(make, data.plan, pipe, tensors);
  }
}
