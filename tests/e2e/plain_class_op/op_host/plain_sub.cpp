// Tiling data by macro, as older projects write it: the kernel's build gets the plain struct from
// here.
#include "register/op_impl_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(PlainSubTilingData)
TILING_DATA_FIELD_DEF(uint32_t, total);
TILING_DATA_FIELD_DEF(uint32_t, tile);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(PlainSub, PlainSubTilingData)

static ge::graphStatus Tiling(gert::TilingContext* context) {
  PlainSubTilingData tiling;
  tiling.set_total(
      static_cast<uint32_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize()));
  tiling.set_tile(1024);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetBlockDim(1);
  context->SetTilingKey(1);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

IMPL_OP_OPTILING(PlainSub).Tiling(optiling::Tiling);
