#include "elementwise_plan.h"

namespace {

bool IsReal(ge::DataType type) {
  return type == ge::DT_FLOAT || type == ge::DT_FLOAT16 || type == ge::DT_BF16;
}

ge::graphStatus TilingCast(gert::TilingContext* context) {
  const bool reals = IsReal(context->GetInputDesc(0)->GetDataType()) &&
                     IsReal(context->GetOutputDesc(0)->GetDataType());
  const uint64_t scratch = reals ? 0 : sizeof(int32_t);  // Convert::kScratch
  return elementwise::Plan(context, *context->GetTilingData<ElementwiseTiling>(), {scratch, true});
}

}  // namespace

IMPL_OP_OPTILING(CastToFloat16).Tiling(TilingCast);
IMPL_OP_OPTILING(CastToFloat32).Tiling(TilingCast);
IMPL_OP_OPTILING(CastToBfloat16).Tiling(TilingCast);
IMPL_OP_OPTILING(CastToInt8).Tiling(TilingCast);
IMPL_OP_OPTILING(CastToUint8).Tiling(TilingCast);
IMPL_OP_OPTILING(CastToInt32).Tiling(TilingCast);
IMPL_OP_OPTILING(CastToInt64).Tiling(TilingCast);
IMPL_OP_OPTILING(CastToBool).Tiling(TilingCast);
