// Parts of the bags for every core: as many as UB holds the sums of, and fewer while cores are
// idle.
#include "../op_kernel/embedding_bag_mlp_tiling.h"

#include <cstring>

#include "block_plan.h"

namespace {

using namespace block;

constexpr uint64_t kSumsPercent = 45, kPoolPercent = 35;  // are shares of UB
constexpr uint32_t kMostTileRows = 32;
constexpr size_t kFirstWeights = 3;  // among the inputs; a bias behind each

void SetSizes(gert::TilingContext* context, EmbeddingBagMlpTiling& t) {
  const auto dim = [&](size_t input, size_t d) {
    return static_cast<uint64_t>(
        context->GetOptionalInputShape(input)->GetStorageShape().GetDim(d));
  };
  t.rows = dim(0, 0);
  t.ids = dim(1, 0);
  t.bags = dim(2, 0);
  t.layers = context->GetOptionalInputShape(kFirstWeights + 4) != nullptr ? 3 : 2;
  t.size[0] = static_cast<uint32_t>(dim(0, 1));
  for (uint32_t layer = 0; layer < t.layers; ++layer)
    t.size[layer + 1] = static_cast<uint32_t>(dim(kFirstWeights + 2 * layer, 1));
  for (uint32_t layer = 0; layer < t.layers; ++layer)
    t.widest = static_cast<uint32_t>(Most(t.widest, t.size[layer]));
  t.mean = std::strcmp(context->GetAttrs()->GetStr(0), "mean") == 0 ? 1 : 0;
}

// bytes: of an element of the table.
void SetParts(uint64_t ub_bytes, uint64_t bytes, uint64_t cores, EmbeddingBagMlpTiling& t) {
  uint64_t widest = 0;  // is the widest of the layers' results
  for (uint32_t layer = 0; layer < t.layers; ++layer) widest = Most(widest, t.size[layer + 1]);
  t.block_columns = static_cast<uint32_t>(Least(UpTo(widest, kStep), kMostColumns));
  t.part_bags = static_cast<uint32_t>(Least(UpTo(t.bags, kStep), kMostRows));
  const uint64_t bag = t.block_columns * (sizeof(float) + bytes);
  while (t.part_bags > kStep && (t.part_bags * bag > ub_bytes * kSumsPercent / 100 ||
                                 CeilDiv(t.bags, t.part_bags) < cores))
    t.part_bags -= kStep;
}

void SetPool(uint64_t ub_bytes, uint64_t bytes, EmbeddingBagMlpTiling& t) {
  // Rows twice and in float; a sum, a divisor and a result.
  const uint64_t element = 2 * bytes + sizeof(float);
  const uint64_t room = ub_bytes * kPoolPercent / 100;
  const uint64_t columns = room / (element + 2 * sizeof(float) + bytes) / kStep * kStep;
  t.tile_columns = static_cast<uint32_t>(Least(t.size[0], columns));
  const uint64_t pitch = UpTo(t.tile_columns, kStep);
  const uint64_t beside = pitch * (2 * sizeof(float) + bytes);
  t.tile_rows = static_cast<uint32_t>(Least(kMostTileRows, (room - beside) / (pitch * element)));
}

ge::graphStatus TilingEmbeddingBagMlp(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
  const auto bytes = static_cast<uint64_t>(ge::GetSizeByDataType(dtype));
  const uint64_t cores = platform.GetCoreNumAiv();
  auto& t = *context->GetTilingData<EmbeddingBagMlpTiling>();
  t = {};
  SetSizes(context, t);
  SetParts(ub_bytes, bytes, cores, t);
  SetPool(ub_bytes, bytes, t);
  if (!SetCube(platform, dtype, t.part_bags, t.block_columns, t.widest, t.cube))
    return ge::GRAPH_FAILED;
  const uint64_t parts = CeilDiv(t.bags, t.part_bags);
  const uint64_t blocks = CeilDiv(Least(parts, cores), kVectorCores);
  context->SetBlockDim(static_cast<uint32_t>(blocks));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize() +
                                     blocks * kVectorCores * 2 * t.part_bags * t.widest * bytes;
  return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_OPTILING(EmbeddingBagMlp).Tiling(TilingEmbeddingBagMlp);
