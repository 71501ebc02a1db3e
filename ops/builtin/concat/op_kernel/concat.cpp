// Matrices side by side: columns of y are those of every input.
#include "concat_tiling.h"
#include "layout.h"

using namespace AscendC;

// The part of y that an input becomes, `first` columns from the left.
__aicore__ inline LayoutTiling PartOf(const ConcatTilingData& data, uint32_t input,
                                      uint64_t first) {
  LayoutTiling t{};
  t.matrices = 1;
  t.rows = data.rows;
  t.columns = data.columns[input];
  t.x_stride = t.columns;
  t.y_stride = data.y_columns;
  t.y_first = first;
  t.tile_rows = data.tile_rows[input];
  t.tile_columns = data.tile_columns[input];
  const uint64_t tiles = (t.rows + t.tile_rows - 1) / t.tile_rows *
                         ((t.columns + t.tile_columns - 1) / t.tile_columns);
  t.core_tiles = (tiles + GetBlockNum() - 1) / GetBlockNum();
  return t;
}

extern "C" __global__ __aicore__ void concat(GM_ADDR xs, GM_ADDR y, GM_ADDR workspace,
                                             GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ConcatTilingData);
  GET_TILING_DATA(data, tiling);
  using T = typename layout::BitsOf<sizeof(DTYPE_XS)>::Type;
  if (data.room == 0) return;
  const ListTensorDesc inputs((__gm__ void*)xs);
  layout::RowMover<T> mover;
  mover.Init(data.room);
  GlobalTensor<T> from, to;
  to.SetGlobalBuffer((__gm__ T*)y);
  uint64_t first = 0;
  for (uint32_t i = 0; i < data.inputs; ++i) {
    if (data.columns[i] == 0) continue;
    from.SetGlobalBuffer(inputs.GetDataPtr<T>(i));
    mover.Run(PartOf(data, i, first), from, to);
    first += data.columns[i];
  }
}
