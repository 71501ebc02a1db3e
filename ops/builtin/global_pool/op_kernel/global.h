// The kernel of an op that makes one number of every image:
//
//   GLOBAL_OP(global_average_pool, kSum) { Muls(...); }
//
// The entry's name, and how elements are brought together; the body finishes the numbers of all
// rows: number, how many there are, and the elements of a row.
#ifndef GLOBAL_POOL_GLOBAL_H_
#define GLOBAL_POOL_GLOBAL_H_

#include "one_number.h"

using namespace AscendC;

#define GLOBAL_OP(entry, reduction)                                                             \
  struct Formula : rows::OneNumber<rows::Reduction::reduction> {                                \
    __aicore__ inline void Finish(rows::Unit& unit, uint32_t, const LocalTensor<float>& number, \
                                  uint64_t columns) const {                                     \
      Finish(unit, number, unit.Height(), columns);                                             \
    }                                                                                           \
    __aicore__ inline void Finish(rows::Unit& unit, const LocalTensor<float>& number,           \
                                  uint32_t count, uint64_t columns) const;                      \
  };                                                                                            \
  extern "C" __global__ __aicore__ void entry(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,          \
                                              GM_ADDR tiling) {                                 \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                             \
    REGISTER_TILING_DEFAULT(RowsTiling);                                                        \
    GET_TILING_DATA(data, tiling);                                                              \
    rows::Reducer<Formula, rows::Out<DTYPE_Y, RoundMode::CAST_RINT, float>,                     \
                  rows::Joined<rows::In<DTYPE_X, float>>>                                       \
        op(data);                                                                               \
    op.Run(Formula{}, y, rows::List(x));                                                        \
  }                                                                                             \
  __aicore__ inline void Formula::Finish(rows::Unit& unit, const LocalTensor<float>& number,    \
                                         uint32_t count, uint64_t columns) const

#endif  // GLOBAL_POOL_GLOBAL_H_
