// y = the root of the mean square of every row.
#include "rows.h"

using namespace AscendC;
using rows::Reduction;

// What the op computes of a row, in float. Change this, the reference in op_contract.yaml, and
// what op_host says of it.
struct @OP@Formula {
  static constexpr uint32_t kNumbers = 1;  // is per row: the sum of its squares, then the result
  __aicore__ static constexpr Reduction How(uint32_t) { return Reduction::kSum; }

  // Returns the inputs together, in place of one of them: x of the calls below.
  __aicore__ inline LocalTensor<float> Join(rows::Unit&, const LocalTensor<float>& in) const {
    return in;
  }
  // What number n is reduced from.
  __aicore__ inline LocalTensor<float> Prepare(rows::Unit& unit, uint32_t,
                                               const LocalTensor<float>& work,
                                               const LocalTensor<float>& x) const {
    Mul(work, x, x, unit.count());
    return work;
  }
  // Number n of all rows is complete.
  __aicore__ inline void Finish(rows::Unit& unit, uint32_t, const LocalTensor<float>& number,
                                uint64_t columns) const {
    Muls(number, number, 1.0f / static_cast<float>(columns), unit.Height());
    Sqrt(number, number, unit.Height());
  }
};

extern "C" __global__ __aicore__ void @op@(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                           GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(RowsTiling);
  GET_TILING_DATA(data, tiling);
  using namespace rows;
  Reducer<@OP@Formula, Out<DTYPE_Y, RoundMode::CAST_RINT, float>, Joined<In<DTYPE_X, float>>> op(
      data);
  op.Run(@OP@Formula{}, y, List(x));
}
