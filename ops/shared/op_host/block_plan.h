// The tiling of block_product.h: a product whose block of sums is rows x columns at most and whose
// depth is k at most.
//
//   block::SetCube(platform, dtype, rows, columns, k, tiling.cube)   // false: the chip has no room
#ifndef OPS_SHARED_BLOCK_PLAN_H_
#define OPS_SHARED_BLOCK_PLAN_H_

#include "../op_kernel/product_slots.h"
#include "least_columns.h"
#include "product_plan.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"

namespace block {

constexpr uint32_t kStep = 16;  // rows and columns of a fractal
constexpr uint32_t kMostRows = 128, kMostColumns = 128;
constexpr uint64_t kVectorCores = 2;  // counts the vector cores of a block of cores

inline uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }
inline uint32_t UpTo(uint64_t n, uint32_t step) {
  return static_cast<uint32_t>(CeilDiv(n, step) * step);
}
inline uint64_t Most(uint64_t a, uint64_t b) { return a > b ? a : b; }
inline uint64_t Least(uint64_t a, uint64_t b) { return a < b ? a : b; }

inline void Halve(uint32_t& size) { size = UpTo(size / 2, kStep); }

// The largest block of `rows` x `columns` whose elements UB has room for.
inline void SetBlock(uint64_t rows, uint64_t columns, uint64_t room, uint32_t& block_rows,
                     uint32_t& block_columns) {
  block_rows = static_cast<uint32_t>(Least(UpTo(rows, kStep), kMostRows));
  block_columns = static_cast<uint32_t>(Least(UpTo(columns, kStep), kMostColumns));
  while (uint64_t{block_rows} * block_columns > room)
    Halve(block_rows > block_columns ? block_rows : block_columns);
}

inline matmul_tiling::DataType TypeOf(ge::DataType dtype) {
  switch (dtype) {
    case ge::DT_FLOAT16: return matmul_tiling::DataType::DT_FLOAT16;
    case ge::DT_BF16: return matmul_tiling::DataType::DT_BF16;
    default: return matmul_tiling::DataType::DT_FLOAT;
  }
}

inline bool SetCube(const platform_ascendc::PlatformAscendC& platform, ge::DataType dtype,
                    uint32_t rows, uint32_t columns, uint64_t k,
                    AscendC::tiling::TCubeTiling& tiling) {
  const auto nd = matmul_tiling::CubeFormat::ND;
  matmul_tiling::MatmulApiTiling cube(platform);
  cube.SetAType(matmul_tiling::TPosition::GM, nd, TypeOf(dtype));
  cube.SetBType(matmul_tiling::TPosition::GM, nd, TypeOf(dtype));
  cube.SetCType(matmul_tiling::TPosition::VECIN, nd, matmul_tiling::DataType::DT_FLOAT);
  const auto m = static_cast<int32_t>(rows), n = static_cast<int32_t>(columns),
             depth = static_cast<int32_t>(k);
  cube.SetShape(m, n, depth);
  cube.SetOrgShape(m, n, depth);
  cube.SetFixSplit(m, n, -1);
  cube.SetBias(false);
  cube.SetBufferSpace(-1, -1, -1);
  return cube.GetTiling(tiling) != -1;
}

// Tells whether the chip has cube cores beside its vector cores.
inline bool HasCubeCores(const platform_ascendc::PlatformAscendC& platform) {
  return platform.GetCoreNumAiv() != platform.GetCoreNumAic();
}

// The columns of blocks with which cube cores are through with `tasks(columns)` of them soonest, by
// the rates at which one of them reads what no core has read before: a row of fractals takes a
// while, however short.
template <typename Tasks>
inline uint32_t BestColumns(const Tasks& tasks, uint64_t rows, uint64_t bytes, uint64_t cores,
                            uint64_t most) {
  constexpr double kRow = 3.75, kRate = 32, kAgain = 110;
  constexpr uint32_t kMostWide = 256;
  const double again = double(rows) * double(bytes) / kAgain;  // a's columns, out of L2
  uint32_t best = kStep;
  double least = 0;
  for (uint32_t columns = kStep; columns <= kMostWide && columns <= most; columns += kStep) {
    const double row = double(columns) * double(bytes) / kRate;
    const double cycles =
        double(CeilDiv(tasks(columns), cores)) * ((row > kRow ? row : kRow) + again);
    if (least != 0 && cycles >= least) continue;
    best = columns;
    least = cycles;
  }
  return best;
}

// Returns the bytes of the workspace for the slots of slot_product.h.
inline uint64_t SlotBytes(uint64_t blocks, const AscendC::tiling::TCubeTiling& tiling) {
  return blocks * product::kSlots * static_cast<uint64_t>(tiling.baseM) *
         static_cast<uint64_t>(tiling.baseN) * sizeof(float);
}

// The tiling of slot_product.h: the same for cube cores that leave sums in the workspace.
inline bool SetCubeInSlots(const platform_ascendc::PlatformAscendC& platform, ge::DataType dtype,
                           uint32_t rows, uint32_t columns, uint64_t k,
                           AscendC::tiling::TCubeTiling& tiling) {
  using platform_ascendc::CoreMemType;
  product::Sizes sizes;
  sizes.m = rows;
  sizes.n = columns;
  sizes.k = static_cast<int64_t>(k);
  sizes.bytes = ge::GetSizeByDataType(dtype);
  sizes.finishes = true;
  const auto size = [&](CoreMemType memory) {
    uint64_t bytes = 0;
    platform.GetCoreMemSize(memory, bytes);
    return static_cast<int64_t>(bytes);
  };
  const product::Memories on{1, size(CoreMemType::L1), size(CoreMemType::L0_A),
                             size(CoreMemType::L0_B), size(CoreMemType::L0_C)};
  const product::Cut cut = product::Cutter(sizes, on).Whole();
  if (cut.m == 0) return false;
  const auto nd = matmul_tiling::CubeFormat::ND;
  matmul_tiling::MatmulApiTiling cube(platform);
  cube.SetAType(matmul_tiling::TPosition::GM, nd, TypeOf(dtype));
  cube.SetBType(matmul_tiling::TPosition::GM, nd, TypeOf(dtype));
  cube.SetCType(matmul_tiling::TPosition::GM, nd, matmul_tiling::DataType::DT_FLOAT);
  const auto m = static_cast<int32_t>(rows), n = static_cast<int32_t>(columns),
             depth = static_cast<int32_t>(k);
  cube.SetShape(m, n, depth);
  cube.SetOrgShape(m, n, depth);
  cube.SetFixSplit(m, n, static_cast<int32_t>(cut.base_k));
  cube.SetBias(false);
  cube.SetBufferSpace(-1, -1, -1);
  if (cube.GetTiling(tiling) == -1) return false;
  tiling.stepKa = static_cast<int32_t>(cut.step_a);
  tiling.stepKb = static_cast<int32_t>(cut.step_b);
  tiling.depthA1 = static_cast<int32_t>(cut.depth_a);
  tiling.depthB1 = static_cast<int32_t>(cut.depth_b);
  return true;
}

}  // namespace block

#endif  // OPS_SHARED_BLOCK_PLAN_H_
