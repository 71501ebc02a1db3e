// Which base blocks of C a Matmul object computes. (Vendor's page "MatmulPolicy".)
#ifndef OPKIT_INCLUDE_ASCENDC_MATMUL_POLICY_H_
#define OPKIT_INCLUDE_ASCENDC_MATMUL_POLICY_H_

#include "opkit/include/ascendc/matmul_config.h"

namespace AscendC {
namespace detail {

enum class Triangle : uint8_t { kWhole, kUpper, kLower };

// Blocks that lie wholly on the other side of the diagonal are left out.
constexpr bool is_left_out(Triangle triangle, uint32_t row, uint32_t column, uint32_t rows,
                           uint32_t columns) {
  return (triangle == Triangle::kUpper && row >= column + columns) ||
         (triangle == Triangle::kLower && column >= row + rows);
}

}  // namespace detail

namespace Impl {
namespace Detail {

template <const auto& MM_CFG, typename... Types>
struct MatmulPolicy {
  static constexpr detail::Triangle kTriangle = detail::Triangle::kWhole;
};
template <const auto& MM_CFG, typename... Types>
struct TrianUpperMatmulPolicy {
  static constexpr detail::Triangle kTriangle = detail::Triangle::kUpper;
};
template <const auto& MM_CFG, typename... Types>
struct TrianLowerMatmulPolicy {
  static constexpr detail::Triangle kTriangle = detail::Triangle::kLower;
};
// Keeps nine base blocks of A in L1: another schedule, the same result.
template <const auto& MM_CFG, typename... Types>
struct NBuffer33MatmulPolicy {
  static constexpr detail::Triangle kTriangle = detail::Triangle::kWhole;
};

}  // namespace Detail
}  // namespace Impl
}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_MATMUL_POLICY_H_
