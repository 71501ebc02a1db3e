// y = alpha * a * b + beta * c.
#include "matmul_epilogue.h"

using namespace AscendC;

// c is a row that comes again with every row of y.
template <typename T>
class GemmEpilogue {
 public:
  static constexpr bool kPlaced = true;

  __aicore__ inline GemmEpilogue(TPipe& pipe, float alpha, float beta, bool has_c, GM_ADDR c,
                                 uint32_t columns)
      : alpha_(alpha), beta_(beta), has_c_(has_c) {
    c_.SetGlobalBuffer((__gm__ T*)c);
    pipe.InitBuffer(stored_, 1, columns * sizeof(T));
    pipe.InitBuffer(wide_, columns * sizeof(float));
  }

  __aicore__ inline void operator()(const LocalTensor<float>& sums,
                                    const product::Block& block) const {
    if (alpha_ != 1.0f) Muls(sums, sums, alpha_, block.elements());
    if (!has_c_) return;
    const LocalTensor<float> row = wide_.Get<float>();
    Bring(row, block);
    for (uint32_t i = 0; i < block.rows; ++i)
      Add(sums[i * block.pitch], sums[i * block.pitch], row, block.columns);
  }

 private:
  __aicore__ inline void Bring(const LocalTensor<float>& row, const product::Block& block) const {
    LocalTensor<T> in = stored_.template AllocTensor<T>();
    const auto bytes = static_cast<uint32_t>(block.columns * sizeof(T));
    DataCopyPad(in, c_[block.column], DataCopyExtParams{1, bytes, 0, 0, 0},
                DataCopyPadExtParams<T>{false, 0, 0, 0});
    stored_.EnQue(in);
    in = stored_.template DeQue<T>();
    if constexpr (IsSameType<T, float>::value) {
      Muls(row, in, beta_, block.columns);
    } else {
      Cast(row, in, RoundMode::CAST_NONE, block.columns);
      Muls(row, row, beta_, block.columns);
    }
    stored_.FreeTensor(in);
  }

  float alpha_, beta_;
  bool has_c_;
  GlobalTensor<T> c_;
  mutable TQue<QuePosition::VECIN, 1> stored_;
  mutable TBuf<TPosition::VECCALC> wide_;
};

extern "C" __global__ __aicore__ void gemm(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  const auto columns = static_cast<uint32_t>(data.plan.cube.baseN);
  const matmul::Tensors tensors{a, b, nullptr, y, workspace};
  const auto make = [&] {
    return GemmEpilogue<DTYPE_A>(pipe, data.alpha, data.beta, data.has_c != 0, c, columns);
  };
  if (TILING_KEY_IS(0)) {  // the vector units drive the cube unit
    matmul::Driven<DTYPE_Y, DTYPE_A, CubeFormat::ND>(make, data.plan, pipe, tensors);
  } else if (TILING_KEY_IS(1)) {
    matmul::InSlots<DTYPE_Y, DTYPE_A, CubeFormat::ND>(make, data.plan, pipe, tensors);
  }
}
