// y = exp(x - max(x)) / sum(exp(x - max(x))) along the last dim.
#include "rows.h"

using namespace AscendC;
using rows::Reduction;

struct SoftmaxFormula {
  static constexpr uint32_t kNumbers = 2;  // of a row: the largest, the sum of the powers
  __aicore__ static constexpr Reduction How(uint32_t n) {
    return n == 0 ? Reduction::kMax : Reduction::kSum;
  }

  __aicore__ inline void Join(rows::Unit& unit, const LocalTensor<float>& x,
                              const LocalTensor<float>& in) const {
    Adds(x, in, 0.0f, unit.count());
  }
  __aicore__ inline LocalTensor<float> Prepare(rows::Unit& unit, uint32_t n,
                                               const LocalTensor<float>& work,
                                               const LocalTensor<float>& x) const {
    if (n == 0) return x;
    Powers(unit, work, x);
    return work;
  }
  __aicore__ inline void Finish(rows::Unit&, uint32_t, const LocalTensor<float>&, uint64_t) const {}
  __aicore__ inline void Apply(rows::Unit& unit, const LocalTensor<float>& y,
                               const LocalTensor<float>& x, const LocalTensor<float>& work,
                               bool kept) const {
    if (!kept) Powers(unit, work, x);
    unit.Divide(y, work, 1);
  }

 private:
  __aicore__ inline void Powers(rows::Unit& unit, const LocalTensor<float>& powers,
                                const LocalTensor<float>& x) const {
    unit.Subtract(powers, x, 0);
    Exp(powers, powers, unit.count());
  }
};

extern "C" __global__ __aicore__ void softmax(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                              GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(RowsTiling);
  GET_TILING_DATA(data, tiling);
  using namespace rows;
  Kernel<SoftmaxFormula, Out<DTYPE_Y, RoundMode::CAST_RINT, float>, Joined<In<DTYPE_X, float>>> op(
      data);
  op.Run(SoftmaxFormula{}, y, List(x), List());
}
