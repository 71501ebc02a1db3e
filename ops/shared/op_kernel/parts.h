// Tensors that are joined along a dim, or one that is taken apart: matrices side by side, each of
// which moves by itself (parts_plan.h says how).
//
//   parts::Join<DTYPE_XS>(tiling, xs, y);
//   parts::TakeApart<DTYPE_X>(tiling, x, ys);
#ifndef OPS_SHARED_PARTS_H_
#define OPS_SHARED_PARTS_H_

#include "layout.h"
#include "parts_tiling.h"

namespace parts {

using namespace AscendC;

// Returns the matrix of a part without its places and strides in x and y.
__aicore__ inline LayoutTiling Matrix(const PartsTiling& data, uint32_t part) {
  LayoutTiling t{};
  t.matrices = 1;
  t.rows = data.rows;
  t.columns = data.columns[part];
  t.x_stride = t.y_stride = t.columns;
  t.tile_rows = data.tile_rows[part];
  t.tile_columns = data.tile_columns[part];
  const uint64_t tiles = (t.rows + t.tile_rows - 1) / t.tile_rows *
                         ((t.columns + t.tile_columns - 1) / t.tile_columns);
  t.core_tiles = (tiles + GetBlockNum() - 1) / GetBlockNum();
  return t;
}

// Calls `call(part, first)` for every part that has elements, `first` columns from the left.
template <typename Call>
__aicore__ inline void EveryPart(const PartsTiling& data, const Call& call) {
  uint64_t first = 0;
  for (uint32_t part = 0; part < data.parts; ++part) {
    if (data.columns[part] != 0) call(part, first);
    first += data.columns[part];
  }
}

// address_of(part): of its elements.
template <typename Element, typename AddressOf>
__aicore__ inline void JoinFrom(const PartsTiling& data, const AddressOf& address_of, GM_ADDR y) {
  using T = typename layout::BitsOf<sizeof(Element)>::Type;
  if (data.room == 0) return;
  layout::RowMover<T> mover;
  mover.Init(data.room);
  GlobalTensor<T> from, to;
  to.SetGlobalBuffer((__gm__ T*)y);
  EveryPart(data, [&](uint32_t part, uint64_t first) {
    from.SetGlobalBuffer((__gm__ T*)address_of(part));
    LayoutTiling matrix = Matrix(data, part);
    matrix.y_stride = data.whole_columns;
    matrix.y_first = first;
    mover.Run(matrix, from, to);
  });
}

template <typename Element>
__aicore__ inline void Join(const PartsTiling& data, GM_ADDR xs, GM_ADDR y) {
  const ListTensorDesc inputs((__gm__ void*)xs);
  JoinFrom<Element>(
      data, [&](uint32_t part) { return inputs.GetDataPtr<Element>(part); }, y);
}

template <typename Element>
__aicore__ inline void TakeApart(const PartsTiling& data, GM_ADDR x, GM_ADDR ys) {
  using T = typename layout::BitsOf<sizeof(Element)>::Type;
  if (data.room == 0) return;
  const ListTensorDesc outputs((__gm__ void*)ys);
  layout::RowMover<T> mover;
  mover.Init(data.room);
  GlobalTensor<T> from, to;
  from.SetGlobalBuffer((__gm__ T*)x);
  EveryPart(data, [&](uint32_t part, uint64_t first) {
    to.SetGlobalBuffer(outputs.GetDataPtr<T>(part));
    LayoutTiling matrix = Matrix(data, part);
    matrix.x_stride = data.whole_columns;
    matrix.x_first = first;
    mover.Run(matrix, from, to);
  });
}

}  // namespace parts

#endif  // OPS_SHARED_PARTS_H_
