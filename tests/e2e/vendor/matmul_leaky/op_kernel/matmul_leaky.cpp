// c = leaky_relu(a * b + bias): the Matmul object hands every block to the vector unit, which
// stores it.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;
using namespace matmul;

template <typename T, typename C, CubeFormat kB>
class MatmulLeaky {
 public:
  __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c,
                              const TCubeTiling& cube, TPipe* pipe) {
    cube_ = cube;
    a_.SetGlobalBuffer((__gm__ T*)a);
    b_.SetGlobalBuffer((__gm__ T*)b);
    bias_.SetGlobalBuffer((__gm__ C*)bias);
    c_.SetGlobalBuffer((__gm__ C*)c);
    const int32_t rows = Ceil(cube.M, cube.singleCoreM);
    row_ = GetBlockIdx() % rows * cube.singleCoreM;
    column_ = GetBlockIdx() / rows * cube.singleCoreN;
    pipe->InitBuffer(out_, 1, cube.baseM * cube.baseN * sizeof(C));
  }

  __aicore__ inline void Process(float slope) {
    if (column_ >= cube_.N) return;
    mm.SetTensorA(a_[row_ * cube_.Ka]);
    mm.SetTensorB(b_[kB == CubeFormat::NZ ? column_ * Ceil(cube_.Kb, 16) * 16 : column_]);
    mm.SetBias(bias_[column_]);
    const int32_t high = cube_.singleCoreM / cube_.baseM;
    for (int32_t block = 0; mm.template Iterate<true>(); ++block) {
      LocalTensor<C> tile = out_.AllocTensor<C>();
      mm.template GetTensorC<true>(tile, false, true);
      LeakyRelu(tile, tile, static_cast<C>(slope), cube_.baseM * cube_.baseN);
      out_.EnQue(tile);
      tile = out_.DeQue<C>();
      const int32_t at =
          (row_ + block % high * cube_.baseM) * cube_.N + column_ + block / high * cube_.baseN;
      const uint16_t width = cube_.baseN * sizeof(C) / 32;
      const uint16_t gap = (cube_.N - cube_.baseN) * sizeof(C) / 32;
      DataCopy(c_[at], tile, DataCopyParams{static_cast<uint16_t>(cube_.baseM), width, 0, gap});
      out_.FreeTensor(tile);
    }
    mm.End();
  }

  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, T>, MatmulType<TPosition::GM, kB, T>,
         MatmulType<TPosition::VECIN, CubeFormat::ND, C>,
         MatmulType<TPosition::GM, CubeFormat::ND, C>>
      mm;

 private:
  __aicore__ inline int32_t Ceil(int32_t a, int32_t b) { return (a + b - 1) / b; }

  TCubeTiling cube_;
  GlobalTensor<T> a_, b_;
  GlobalTensor<C> bias_, c_;
  TQue<QuePosition::VECOUT, 1> out_;
  int32_t row_ = 0, column_ = 0;
};

extern "C" __global__ __aicore__ void matmul_leaky(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c,
                                                   GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  constexpr CubeFormat kB = FORMAT_B == FORMAT_FRACTAL_NZ ? CubeFormat::NZ : CubeFormat::ND;
  MatmulLeaky<DTYPE_A, DTYPE_C, kB> op;
  op.Init(a, b, bias, c, data.cube, &pipe);
  if (TILING_KEY_IS(1)) {
    KERNEL_TASK_TYPE(1, KERNEL_TYPE_MIX_AIC_1_2);
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &data.cube);
    op.Process(data.slope);
  } else if (TILING_KEY_IS(2)) {
    KERNEL_TASK_TYPE(2, KERNEL_TYPE_MIX_AIC_1_1);
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &data.cube);
    op.Process(data.slope);
  }
}
