#include "unset_field_tiling.h"

#include "register/op_impl_registry.h"

namespace optiling {

static ge::graphStatus TilingUnsetField(gert::TilingContext* context) {
  constexpr uint64_t kTile =
      4096;  // elements of one block; three queues of two buffers fit into UB
  const auto total =
      static_cast<uint64_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  UnsetFieldTilingData tiling;
  tiling.set_total(total);
  tiling.set_per_core(total > 8 ? total : 8);
  tiling.set_tile(static_cast<uint32_t>(kTile));
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetBlockDim(1);
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

IMPL_OP_OPTILING(UnsetField).Tiling(optiling::TilingUnsetField);
