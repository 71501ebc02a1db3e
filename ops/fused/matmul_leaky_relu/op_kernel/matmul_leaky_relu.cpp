// y = leaky_relu(x * w + bias). Each vector core owns a part of y: the Matmul object leaves a base
// block of sums in UB, the vector unit applies the function, narrows and stores it.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

template <typename T, CubeFormat kWeight>
class MatmulLeakyRelu {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR w, GM_ADDR bias, GM_ADDR y,
                              const TCubeTiling& cube, float slope, TPipe* pipe) {
    cube_ = cube;
    slope_ = slope;
    x_.SetGlobalBuffer((__gm__ T*)x, static_cast<uint64_t>(cube.M) * cube.Ka);
    w_.SetGlobalBuffer((__gm__ T*)w, WeightSize());
    bias_.SetGlobalBuffer((__gm__ T*)bias, cube.N);
    y_.SetGlobalBuffer((__gm__ T*)y, static_cast<uint64_t>(cube.M) * cube.N);
    const uint32_t block = static_cast<uint32_t>(cube.baseM) * cube.baseN;
    pipe->InitBuffer(sums_, 1, block * sizeof(float));
    pipe->InitBuffer(out_, 1, block * sizeof(T));
  }

  __aicore__ inline void Process() {
    const int32_t rows_of_cores = Ceil(cube_.M, cube_.singleCoreM);
    const int32_t index = GetBlockIdx();
    if (index >= rows_of_cores * Ceil(cube_.N, cube_.singleCoreN)) return;
    row_ = index % rows_of_cores * cube_.singleCoreM;
    column_ = index / rows_of_cores * cube_.singleCoreN;
    height_ = Least(cube_.singleCoreM, cube_.M - row_);
    width_ = Least(cube_.singleCoreN, cube_.N - column_);
    mm.SetTail(height_, width_, cube_.Ka);
    mm.SetTensorA(x_[static_cast<uint64_t>(row_) * cube_.Ka]);
    mm.SetTensorB(w_[WeightOffset()]);
    if (cube_.isBias) mm.SetBias(bias_[column_]);
    const int32_t blocks_high = Ceil(height_, cube_.baseM);
    for (int32_t block = 0; mm.template Iterate<true>(); ++block)
      Finish(block % blocks_high * cube_.baseM, block / blocks_high * cube_.baseN);
    mm.End();
  }

  using Sums = MatmulType<TPosition::VECIN, CubeFormat::ND, float>;
  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, T>, MatmulType<TPosition::GM, kWeight, T>, Sums,
         MatmulType<TPosition::GM, CubeFormat::ND, T>>
      mm;

 private:
  static constexpr int32_t kC0 = 32 / sizeof(T);
  static constexpr uint32_t kRepeat = 256 / sizeof(float);  // elements
  __aicore__ inline int32_t Ceil(int32_t a, int32_t b) const { return (a + b - 1) / b; }
  template <typename I>
  __aicore__ inline I Least(I a, I b) const {
    return a < b ? a : b;
  }
  __aicore__ inline uint64_t PanelHeight() const {
    return static_cast<uint64_t>(Ceil(cube_.Kb, 16)) * 16;
  }
  __aicore__ inline uint64_t WeightSize() const {
    if constexpr (kWeight == CubeFormat::NZ) return PanelHeight() * Ceil(cube_.N, kC0) * kC0;
    return static_cast<uint64_t>(cube_.Kb) * cube_.N;
  }
  // A core's first column is a multiple of 16, hence of C0.
  __aicore__ inline uint64_t WeightOffset() const {
    if constexpr (kWeight == CubeFormat::NZ) return PanelHeight() * column_;
    return column_;
  }

  // Rows of a base block in UB are baseN apart, however narrow the block is.
  __aicore__ inline void Finish(int32_t row, int32_t column) {
    const uint32_t rows = Least(cube_.baseM, height_ - row);
    const uint32_t columns = Least(cube_.baseN, width_ - column);
    LocalTensor<float> sums = sums_.AllocTensor<float>();
    mm.template GetTensorC<true>(sums, 0, true);
    sums_.EnQue(sums);
    sums = sums_.DeQue<float>();
    LocalTensor<T> out = out_.AllocTensor<T>();
    for (uint32_t c = 0; c < columns; c += kRepeat)
      Activate(out[c], sums[c], rows, Least(columns - c, kRepeat));
    sums_.FreeTensor(sums);
    out_.EnQue(out);
    out = out_.DeQue<T>();
    const uint64_t at = static_cast<uint64_t>(row_ + row) * cube_.N + column_ + column;
    const uint32_t bytes = columns * sizeof(T);
    DataCopyExtParams copy;
    copy.blockCount = rows;
    copy.blockLen = bytes;
    copy.srcStride = (cube_.baseN * sizeof(T) - (bytes + 31) / 32 * 32) / 32;
    copy.dstStride = (cube_.N - columns) * sizeof(T);
    DataCopyPad(y_[at], out, copy);
    out_.FreeTensor(out);
  }

  // At most 64 columns; a repeat is a row.
  __aicore__ inline void Activate(const LocalTensor<T>& out, const LocalTensor<float>& sums,
                                  uint32_t rows, uint32_t columns) {
    const uint8_t wide = cube_.baseN * sizeof(float) / 32, narrow = cube_.baseN * sizeof(T) / 32;
    const uint8_t repeats = static_cast<uint8_t>(rows);
    const UnaryRepeatParams to_float(1, 1, wide, wide), to_type(1, 1, narrow, wide);
    if constexpr (IsSameType<T, float>::value) {
      LeakyRelu(out, sums, slope_, columns, repeats, to_float);
    } else {
      LeakyRelu(sums, sums, slope_, columns, repeats, to_float);
      PipeBarrier<PIPE_V>();
      Cast(out, sums, RoundMode::CAST_RINT, columns, repeats, to_type);
    }
  }

  TCubeTiling cube_;
  GlobalTensor<T> x_, w_, bias_, y_;
  TQue<QuePosition::VECIN, 1> sums_;
  TQue<QuePosition::VECOUT, 1> out_;
  float slope_ = 0;
  int32_t row_ = 0, column_ = 0, height_ = 0, width_ = 0;
};

extern "C" __global__ __aicore__ void matmul_leaky_relu(GM_ADDR x, GM_ADDR w, GM_ADDR bias,
                                                        GM_ADDR y, GM_ADDR workspace,
                                                        GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  constexpr CubeFormat kWeight = FORMAT_W == FORMAT_FRACTAL_NZ ? CubeFormat::NZ : CubeFormat::ND;
  MatmulLeakyRelu<DTYPE_X, kWeight> op;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &data.cube);
  op.Init(x, w, bias, y, data.cube, data.slope, &pipe);
  op.Process();
}
