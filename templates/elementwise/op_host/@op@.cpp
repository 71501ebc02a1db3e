// Tiling of @OP@: every vector core takes an equal share; a share passes
// through UB in tiles.
#include "../op_kernel/@op@_tiling.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
namespace {

constexpr uint64_t kLineBytes = 512;       // GM is fastest from such an address on
constexpr uint64_t kMinCoreBytes = 16384;  // less does not repay the start of a further core
constexpr uint64_t kUbPercent = 80;  // the rest of UB is left to calls that need room of their own
constexpr uint64_t kQueues = 3, kBuffers = 2;

uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }
uint64_t AlignUp(uint64_t a, uint64_t b) { return CeilDiv(a, b) * b; }

// Elements per tile so that every buffer of the kernel fits into UB.
uint64_t TileElements(uint64_t ub_bytes, uint64_t element_bytes, bool widens) {
  const uint64_t per_element =
      kQueues * kBuffers * element_bytes + (widens ? 2 * sizeof(float) : 0);
  const uint64_t line = kLineBytes / element_bytes;
  return ub_bytes * kUbPercent / 100 / per_element / line * line;
}

}  // namespace

static ge::graphStatus Tiling@OP@(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const uint64_t cores = platform.GetCoreNumAiv();

  const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
  const uint64_t element_bytes = static_cast<uint64_t>(ge::GetSizeByDataType(dtype));
  const uint64_t total =
      static_cast<uint64_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  const uint64_t line = kLineBytes / element_bytes;
  const uint64_t share = CeilDiv(total, cores);

  auto* tiling = context->GetTilingData<@OP@TilingData>();
  tiling->total = total;
  tiling->per_core =
      AlignUp(share > kMinCoreBytes / element_bytes ? share : kMinCoreBytes / element_bytes, line);
  const uint64_t tile = TileElements(ub_bytes, element_bytes, dtype == ge::DT_BF16);
  const uint64_t useful =
      AlignUp(total < tiling->per_core ? (total > 0 ? total : 1) : tiling->per_core, line);
  tiling->tile = static_cast<uint32_t>(tile < useful ? tile : useful);
  tiling->alpha = *context->GetAttrs()->GetFloat(0);

  const uint64_t blocks = CeilDiv(total, tiling->per_core);
  context->SetBlockDim(static_cast<uint32_t>(blocks > 0 ? blocks : 1));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

IMPL_OP_OPTILING(@OP@).Tiling(optiling::Tiling@OP@);
