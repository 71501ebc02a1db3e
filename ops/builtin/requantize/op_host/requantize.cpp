#include "../op_kernel/requantize_tiling.h"
#include "elementwise_plan.h"

// The kernel's inputs are the first ones of the op; the others are numbers that it reads itself.
template <uint64_t kInputs>
static ge::graphStatus TilingRequantize(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<RequantizeTilingData>();
  tiling->relu = *context->GetAttrs()->GetBool(0) ? 1 : 0;
  tiling->reserved = 0;
  elementwise::Needs needs;
  needs.scratch = kInputs * sizeof(float);
  return elementwise::PlanInputs(context, tiling->view, elementwise::CommonDims(context, kInputs),
                                 std::vector<ge::DataType>(kInputs, ge::DT_INT8), needs);
}

IMPL_OP_OPTILING(Requantize).Tiling(TilingRequantize<1>);
IMPL_OP_OPTILING(QuantizedAdd).Tiling(TilingRequantize<2>);
IMPL_OP_OPTILING(QuantizedAddImages).Tiling(TilingRequantize<2>);
