// Tiling of the row-wise ops: one core takes every row, one after the other.
#ifndef WRONG_KERNELS_SHARED_ROWS_HOST_H_
#define WRONG_KERNELS_SHARED_ROWS_HOST_H_

#include "register/op_impl_registry.h"
#include "rows_tiling.h"

namespace optiling {

inline ge::graphStatus TilingRows(gert::TilingContext* context) {
  const auto& shape = context->GetInputShape(0)->GetStorageShape();
  auto* tiling = context->GetTilingData<RowsTilingData>();
  tiling->rows = static_cast<uint32_t>(shape.GetDim(0));
  tiling->columns = static_cast<uint32_t>(shape.GetDim(1));
  context->SetBlockDim(1);
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

#endif  // WRONG_KERNELS_SHARED_ROWS_HOST_H_
