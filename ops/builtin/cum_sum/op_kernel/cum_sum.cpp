// y = the sums of the elements of x along a dim up to each place.
#include "columns.h"
#include "lines.h"
#include "whole_columns.h"
#include "whole_lines.h"

using namespace AscendC;

// Adds up integers as they are, all other types in float.
constexpr bool kWide = IsSameType<DTYPE_X, int64_t>::value;
constexpr bool kWhole = kWide || IsSameType<DTYPE_X, int32_t>::value;
using RowsOp = typename Std::conditional<kWhole, WholeLines<DTYPE_X>, Lines<DTYPE_X>>::type;
using WholeOp = WholeColumns<typename Std::conditional<kWide, WideRunning, WordsRunning>::type>;
using ColumnsOp = typename Std::conditional<kWhole, WholeOp, Columns<DTYPE_X>>::type;

extern "C" __global__ __aicore__ void cum_sum(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                              GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(CumSumTiling);
  GET_TILING_DATA(data, tiling);
  if (data.terms == 0) return;
  if (data.inner == 1) {
    RowsOp op(data);
    op.Run(x, y);
  } else {
    ColumnsOp op;
    op.Run(data, x, y);
  }
}
