// Parts of the state for every core: blocks of the cube unit that fit into UB with all that a step
// makes of them, and smaller ones while cores are idle.
#include "../op_kernel/recurrent_cell_tiling.h"

#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"

namespace {

constexpr uint64_t kUbPercent = 80;
constexpr uint32_t kMostBase = 128, kStep = 16;

uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }
uint32_t UpTo(uint64_t n, uint32_t step) { return static_cast<uint32_t>(CeilDiv(n, step) * step); }

uint64_t PartsOf(const RecurrentCellTiling& t) {
  return CeilDiv(t.rows, t.part_rows) * CeilDiv(t.columns, t.part_columns);
}

// element_bytes: of UB, for each element of a part.
void SetParts(uint64_t ub_bytes, uint64_t element_bytes, uint64_t cores, RecurrentCellTiling& t) {
  const uint64_t room = ub_bytes * kUbPercent / 100 / element_bytes;
  const auto fits = [](uint64_t n) { return n < kMostBase ? UpTo(n, kStep) : kMostBase; };
  t.part_rows = fits(t.rows);
  t.part_columns = fits(t.columns);
  const auto halve = [](uint32_t& size) { size = UpTo(size / 2, kStep); };
  while (uint64_t{t.part_rows} * t.part_columns > room)
    halve(t.part_rows > t.part_columns ? t.part_rows : t.part_columns);
  while (PartsOf(t) < cores && t.part_columns > kStep) halve(t.part_columns);
}

bool SetCube(const platform_ascendc::PlatformAscendC& platform, ge::DataType dtype, uint64_t gates,
             RecurrentCellTiling& t) {
  const auto type = dtype == ge::DT_FLOAT16 ? matmul_tiling::DataType::DT_FLOAT16
                                            : matmul_tiling::DataType::DT_FLOAT;
  const auto nd = matmul_tiling::CubeFormat::ND;
  matmul_tiling::MatmulApiTiling cube(platform);
  cube.SetAType(matmul_tiling::TPosition::GM, nd, type);
  cube.SetBType(matmul_tiling::TPosition::GM, nd, type);
  cube.SetCType(matmul_tiling::TPosition::VECIN, nd, matmul_tiling::DataType::DT_FLOAT);
  const auto rows = static_cast<int32_t>(t.part_rows),
             columns = static_cast<int32_t>(t.part_columns),
             k = static_cast<int32_t>(t.inputs > t.columns ? t.inputs : t.columns);
  cube.SetShape(rows, columns, k);
  cube.SetOrgShape(rows, static_cast<int32_t>(gates * t.columns), k);
  cube.SetFixSplit(rows, columns, -1);
  cube.SetBias(false);
  cube.SetBufferSpace(-1, -1, -1);
  return cube.GetTiling(t.cube) != -1;
}

// kBias: the place of an optional bias among the inputs; -1: there is none.
template <uint64_t kGates, int kBias>
ge::graphStatus Tiling(gert::TilingContext* context) {
  constexpr uint64_t kVectorCores = 2;  // of a block
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
  const gert::Shape& h = context->GetInputShape(1)->GetStorageShape();
  auto& t = *context->GetTilingData<RecurrentCellTiling>();
  t = {};
  t.rows = static_cast<uint64_t>(h.GetDim(0));
  t.columns = static_cast<uint64_t>(h.GetDim(1));
  t.inputs = static_cast<uint64_t>(context->GetInputShape(0)->GetStorageShape().GetDim(1));
  t.has_bias = kBias >= 0 && context->GetOptionalInputShape(kBias) != nullptr ? 1 : 0;
  // Sums, four parts and a state in float; a state in and out as it is stored.
  const uint64_t element =
      6 * sizeof(float) + 2 * static_cast<uint64_t>(ge::GetSizeByDataType(dtype));
  const uint64_t cores = platform.GetCoreNumAiv();
  SetParts(ub_bytes, element, cores, t);
  if (!SetCube(platform, dtype, kGates, t)) return ge::GRAPH_FAILED;
  const uint64_t busy = PartsOf(t) < cores ? PartsOf(t) : cores;
  context->SetBlockDim(static_cast<uint32_t>(CeilDiv(busy, kVectorCores)));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize();
  return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_OPTILING(LstmCell).Tiling(Tiling<4, 5>);
IMPL_OP_OPTILING(GruCell).Tiling(Tiling<3, -1>);
