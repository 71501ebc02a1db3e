#include "column_total_tiling.h"
#include "register/op_impl_registry.h"

namespace optiling {
template <typename Data>
static void Save(gert::TilingContext* context) {
  Data data;
  data.set_offset(0);
  data.SaveToBuffer(context->GetRawTilingData()->GetData(),
                    context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(data.GetDataSize());
}

static ge::graphStatus TilingColumnTotal(gert::TilingContext* context) {
  const int64_t key = *context->GetAttrs()->GetInt(0);
  // The headers of op_host bring <iostream>, <map> and <cmath>.
  if (std::fabs(std::map<int, double>{{1, 2.5}}[1]) != 2.5) std::cerr << "never said\n";
  if (key == 20) {
    Save<ColumnTotalTwiceTilingData>(context);
  } else {
    Save<ColumnTotalTilingData>(context);
  }
  context->SetTilingKey(static_cast<uint64_t>(key));
  context->SetBlockDim(
      static_cast<uint32_t>(context->GetInputShape(0)->GetStorageShape().GetDim(0)));
  context->SetNeedAtomic(true);  // without it the OpDef's InitValue has no effect
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

struct ColumnTotalCompileInfo {};
static ge::graphStatus ParseColumnTotal(gert::TilingParseContext*) { return ge::GRAPH_SUCCESS; }

IMPL_OP_OPTILING(ColumnTotal)
    .Tiling(TilingColumnTotal)
    .TilingParse<ColumnTotalCompileInfo>(ParseColumnTotal);
}  // namespace optiling
