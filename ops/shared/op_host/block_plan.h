// The tiling of block_product.h: a product whose block of sums is rows x columns at most and whose
// depth is k at most.
//
//   block::SetCube(platform, dtype, rows, columns, k, tiling.cube)   // false: the chip has no room
#ifndef OPS_SHARED_BLOCK_PLAN_H_
#define OPS_SHARED_BLOCK_PLAN_H_

#include "least_columns.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"

namespace block {

constexpr uint32_t kStep = 16;  // rows and columns of a fractal
constexpr uint32_t kMostRows = 128, kMostColumns = 128;
constexpr uint64_t kVectorCores = 2;  // of a block of cores

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

}  // namespace block

#endif  // OPS_SHARED_BLOCK_PLAN_H_
