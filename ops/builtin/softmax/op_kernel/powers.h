// The kernel of an op on the powers of each row's elements:
//
//   POWERS_OP(softmax, Formula)
//
// The entry's name, and a formula made of Powers, which finds the largest element of a row and the
// sum of exp(x - largest).
#ifndef SOFTMAX_POWERS_H_
#define SOFTMAX_POWERS_H_

#include "rows.h"

using namespace AscendC;

struct Powers {
  static constexpr uint32_t kNumbers = 2;  // are per row: the largest, the sum of the powers
  __aicore__ static constexpr rows::Reduction How(uint32_t n) {
    return n == 0 ? rows::Reduction::kMax : rows::Reduction::kSum;
  }

  __aicore__ inline LocalTensor<float> Join(rows::Unit&, const LocalTensor<float>& in) const {
    return in;
  }
  __aicore__ inline LocalTensor<float> Prepare(rows::Unit& unit, uint32_t n,
                                               const LocalTensor<float>& work,
                                               const LocalTensor<float>& x) const {
    if (n == 0) return x;
    Raise(unit, work, x);
    return work;
  }
  __aicore__ inline void Finish(rows::Unit&, uint32_t, const LocalTensor<float>&, uint64_t) const {}

 protected:
  __aicore__ inline void Raise(rows::Unit& unit, const LocalTensor<float>& powers,
                               const LocalTensor<float>& x) const {
    unit.Subtract(powers, x, 0);
    Exp(powers, powers, unit.count());
  }
};

#define POWERS_OP(entry, Formula)                                                      \
  extern "C" __global__ __aicore__ void entry(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, \
                                              GM_ADDR tiling) {                        \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                    \
    REGISTER_TILING_DEFAULT(RowsTiling);                                               \
    GET_TILING_DATA(data, tiling);                                                     \
    rows::Kernel<Formula, rows::Out<DTYPE_Y, RoundMode::CAST_RINT, float>,             \
                 rows::Joined<rows::In<DTYPE_X, float>>>                               \
        op(data);                                                                      \
    op.Run(Formula{}, y, rows::List(x), rows::List());                                 \
  }

#endif  // SOFTMAX_POWERS_H_
