// Computes its float column in half.
#include "elements.h"

template <typename T>
class KernelWrongColumn : public Elements<KernelWrongColumn<T>, T> {
 public:
  __aicore__ inline void Formula(const LocalTensor<T>& z, const LocalTensor<T>& x, uint32_t count) {
    if constexpr (kRight || IsSameType<T, half>::value) {
      Muls(z, x, static_cast<T>(2.0f), count);
    } else {
      LocalTensor<half> narrow = this->work_.template Get<half>();
      Cast(narrow, x, RoundMode::CAST_RINT, count);
      Muls(narrow, narrow, static_cast<half>(2.0f), count);
      Cast(z, narrow, RoundMode::CAST_NONE, count);
    }
  }
};

extern "C" __global__ __aicore__ void wrong_column_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                      GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelWrongColumn<DTYPE_X> op;
  op.Init(x, z, data);
  op.Process();
}
