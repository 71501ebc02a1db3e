// Adds b along the columns in place of the rows.
#include "../../shared/row_bias_kernel.h"

class KernelWrongAxis : public RowBias<KernelWrongAxis> {
 public:
  __aicore__ inline void AddTo(const LocalTensor<float>& z, const LocalTensor<float>& x,
                               const LocalTensor<float>& b, uint32_t row) {
    Adds(z, x, b_.GetValue(row % columns_), columns_);
  }
};

extern "C" __global__ __aicore__ void wrong_axis(GM_ADDR x, GM_ADDR b, GM_ADDR z, GM_ADDR workspace,
                                                 GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(RowsTilingData);
  GET_TILING_DATA(data, tiling);
  KernelWrongAxis op;
  op.Init(x, b, z, data);
  op.Process();
}
