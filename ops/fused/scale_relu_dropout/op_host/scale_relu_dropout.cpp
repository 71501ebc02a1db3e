// Tiling of ScaleReluDropout: every vector core takes an equal share; a share passes through UB in
// tiles.
#include "../op_kernel/scale_relu_dropout_tiling.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
namespace {

constexpr uint64_t kStep = 32;          // elements; 32 bytes of the mask, whole blocks of x and y
constexpr uint64_t kMinPerCore = 4096;  // elements; less does not repay the start of a further core
constexpr uint64_t kUbPercent = 80;  // the rest of UB is left to calls that need room of their own
constexpr uint64_t kBuffers = 2;

uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }
uint64_t AlignUp(uint64_t a, uint64_t b) { return CeilDiv(a, b) * b; }

// Elements per tile so that the queues (x, y: element_bytes, mask: 1 byte) and the four work
// buffers (three of float, one of half) fit into UB.
uint64_t TileElements(uint64_t ub_bytes, uint64_t element_bytes) {
  const uint64_t per_element = kBuffers * (2 * element_bytes + 1) + 3 * sizeof(float) + 2;
  return ub_bytes * kUbPercent / 100 / per_element / kStep * kStep;
}

}  // namespace

static ge::graphStatus TilingScaleReluDropout(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const uint64_t cores = platform.GetCoreNumAiv();
  const uint64_t element_bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  const uint64_t total =
      static_cast<uint64_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  const uint64_t share = CeilDiv(total, cores);

  auto* tiling = context->GetTilingData<ScaleReluDropoutTilingData>();
  tiling->total = total;
  tiling->per_core = AlignUp(share > kMinPerCore ? share : kMinPerCore, kStep);
  const uint64_t useful =
      AlignUp(total < tiling->per_core ? (total > 0 ? total : 1) : tiling->per_core, kStep);
  const uint64_t tile = TileElements(ub_bytes, element_bytes);
  tiling->tile = static_cast<uint32_t>(tile < useful ? tile : useful);
  tiling->scale = *context->GetAttrs()->GetFloat(0);
  tiling->keep_prob = *context->GetAttrs()->GetFloat(1);

  const uint64_t blocks = CeilDiv(total, tiling->per_core);
  context->SetBlockDim(static_cast<uint32_t>(blocks > 0 ? blocks : 1));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

IMPL_OP_OPTILING(ScaleReluDropout).Tiling(optiling::TilingScaleReluDropout);
