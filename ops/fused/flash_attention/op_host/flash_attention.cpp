// Parts of the queries for every core: as many rows as UB holds with a block of scores and their
// sums, and fewer while cores are idle.
#include "../op_kernel/flash_attention_tiling.h"

#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"
#include "tuning.h"

namespace {

constexpr uint64_t kUbPercent = 80;
constexpr uint32_t kMostRows = 128, kMostKeys = 128, kStep = 16;
constexpr uint64_t kRowBytes = 5 * 4 + 5 * 32 + 256;  // numbers of a row (row_unit.h)

uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }
uint32_t UpTo(uint64_t n, uint32_t step) { return static_cast<uint32_t>(CeilDiv(n, step) * step); }
uint64_t Most(uint64_t a, uint64_t b) { return a > b ? a : b; }

// Elements of the mask from a batch, a head of queries, a query to the next.
void SetMask(gert::TilingContext* context, FlashAttentionTiling& t) {
  const gert::StorageShape* given = context->GetOptionalInputShape(3);
  t.has_mask = given != nullptr ? 1 : 0;
  if (given == nullptr) return;
  const gert::Shape& mask = given->GetStorageShape();
  uint64_t* const strides[] = {&t.mask_query, &t.mask_head, &t.mask_batch};
  uint64_t elements = t.keys;
  for (size_t back = 2; back <= mask.GetDimNum() && back < 5; ++back) {
    const auto size = static_cast<uint64_t>(mask.GetDim(mask.GetDimNum() - back));
    *strides[back - 2] = size > 1 ? elements : 0;
    elements *= size;
  }
}

void SetSizes(gert::TilingContext* context, FlashAttentionTiling& t) {
  const gert::Shape& q = context->GetInputShape(0)->GetStorageShape();
  const gert::Shape& v = context->GetInputShape(2)->GetStorageShape();
  const auto dim = [](const gert::Shape& shape, size_t d) {
    return static_cast<uint64_t>(shape.GetDim(d));
  };
  t.heads = dim(v, 0) * dim(v, 1);
  t.queries = dim(q, 2);
  t.rows = dim(q, 1) / dim(v, 1) * t.queries;
  t.keys = dim(v, 2);
  t.depth = static_cast<uint32_t>(dim(q, 3));
  t.value_depth = static_cast<uint32_t>(dim(v, 3));
  t.scale = *context->GetAttrs()->GetFloat(0);
  t.causal = *context->GetAttrs()->GetBool(1) ? 1 : 0;
  t.heads_of_batch = dim(v, 1);
  SetMask(context, t);
}

// Returns the bytes of UB for each row of a part. The weights and the results leave by one buffer.
uint64_t RowOf(uint64_t bytes, const FlashAttentionTiling& t) {
  const uint64_t keys = t.block_keys, sums = UpTo(t.value_depth, kStep);
  const uint64_t wide = bytes < sizeof(float) ? sizeof(float) : 0;
  return Most(keys, sums) * (sizeof(float) + bytes) + sums * sizeof(float) +
         (t.has_mask != 0 ? keys * (bytes + wide) : 0) + kRowBytes;
}

// At most `most_rows` queries, whole steps, for a part.
void SetParts(uint64_t ub_bytes, uint64_t bytes, uint64_t cores, uint32_t most_rows,
              FlashAttentionTiling& t) {
  t.block_keys = t.keys < kMostKeys ? UpTo(t.keys, kStep) : kMostKeys;
  const auto parts = [&] { return t.heads * CeilDiv(t.rows, t.part_rows); };
  t.part_rows = t.rows < most_rows ? UpTo(t.rows, kStep) : most_rows;
  while (t.part_rows > kStep &&
         (t.part_rows * RowOf(bytes, t) > ub_bytes * kUbPercent / 100 || parts() < cores))
    t.part_rows -= kStep;
}

// A product whose results are one block.
bool SetCube(const platform_ascendc::PlatformAscendC& platform, matmul_tiling::DataType type,
             bool b_turned, uint32_t columns, uint32_t n, uint32_t k, const FlashAttentionTiling& t,
             AscendC::tiling::TCubeTiling& tiling) {
  const auto gm = matmul_tiling::TPosition::GM;
  const auto nd = matmul_tiling::CubeFormat::ND;
  matmul_tiling::MatmulApiTiling cube(platform);
  cube.SetAType(gm, nd, type);
  cube.SetBType(gm, nd, type, b_turned);
  cube.SetCType(matmul_tiling::TPosition::VECIN, nd, matmul_tiling::DataType::DT_FLOAT);
  const auto rows = static_cast<int32_t>(t.part_rows), depth = static_cast<int32_t>(k);
  cube.SetShape(rows, static_cast<int32_t>(columns), depth);
  cube.SetOrgShape(rows, static_cast<int32_t>(n), depth);
  cube.SetFixSplit(rows, static_cast<int32_t>(columns), -1);
  cube.SetBias(false);
  cube.SetBufferSpace(-1, -1, -1);
  return cube.GetTiling(tiling) != -1;
}

ge::graphStatus TilingFlashAttention(gert::TilingContext* context) {
  constexpr uint64_t kVectorCores = 2;  // counts the vector cores of a block
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
  const auto bytes = static_cast<uint64_t>(ge::GetSizeByDataType(dtype));
  const uint64_t cores = tuning::KnobUpTo(context, "cores", platform.GetCoreNumAiv());
  const uint32_t most_rows = UpTo(tuning::KnobUpTo(context, "part_rows", kMostRows), kStep);
  auto& t = *context->GetTilingData<FlashAttentionTiling>();
  t = {};
  SetSizes(context, t);
  SetParts(ub_bytes, bytes, cores, most_rows, t);
  const auto type = dtype == ge::DT_FLOAT16 ? matmul_tiling::DataType::DT_FLOAT16
                                            : matmul_tiling::DataType::DT_FLOAT;
  if (!SetCube(platform, type, true, t.block_keys, static_cast<uint32_t>(t.keys), t.depth, t,
               t.scores) ||
      !SetCube(platform, type, false, UpTo(t.value_depth, kStep), t.value_depth, t.block_keys, t,
               t.sums))
    return ge::GRAPH_FAILED;
  const uint64_t parts = t.heads * CeilDiv(t.rows, t.part_rows);
  const uint64_t blocks = Most(1, CeilDiv(parts < cores ? parts : cores, kVectorCores));
  context->SetBlockDim(static_cast<uint32_t>(blocks));
  context->SetTilingKey(0);
  // Two blocks of weights, and results that wait: scores and sums.
  const uint64_t of_row =
      t.block_keys * (2 * bytes + sizeof(float)) + UpTo(t.value_depth, kStep) * sizeof(float);
  context->GetWorkspaceSizes(1)[0] =
      platform.GetLibApiWorkSpaceSize() + blocks * kVectorCores * t.part_rows * of_row;
  return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_OPTILING(FlashAttention).Tiling(TilingFlashAttention);
